/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Simulates a local cache on a trace. The DataNode's classes from
 * {@link io.hdfslocalcache.ratelimit} decide on admission, by the trace's time; sizes of page files
 * are those of the plugin's {@link io.hdfslocalcache.plugin.page.PageLayout}. A read that misses
 * queues at its HDD; the parts of a page that it reads are on the SSD as soon as it has them. Pages
 * are evicted in the DataNode's order. Simplified: all SSDs are one and take no time, and there is
 * no OS page cache.
 */
package io.hdfslocalcache.replay.simulate;
