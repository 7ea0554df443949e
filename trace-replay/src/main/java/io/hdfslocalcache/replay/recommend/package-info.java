/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Recommends for a trace the keys for an SSD and its endurance, with their effect, as text, as a
 * fragment of {@code hdfs-site.xml} and as a report in HTML.
 */
package io.hdfslocalcache.replay.recommend;
