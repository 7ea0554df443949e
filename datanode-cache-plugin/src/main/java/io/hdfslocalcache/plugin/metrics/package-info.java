/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** What the local cache counts, and how Hadoop's metrics system sees it. */
package io.hdfslocalcache.plugin.metrics;
