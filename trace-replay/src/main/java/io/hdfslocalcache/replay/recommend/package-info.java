/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * From a trace to a recommendation: which keys suit an SSD and what it may be written, and what
 * they would bring, as text, as a fragment of {@code hdfs-site.xml} and as a report in HTML.
 */
package io.hdfslocalcache.replay.recommend;
