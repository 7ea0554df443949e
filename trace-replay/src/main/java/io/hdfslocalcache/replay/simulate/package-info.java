/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What a local cache would have done with a trace. Admission is decided by the classes that a
 * DataNode runs, from {@link io.hdfslocalcache.ratelimit}, by the trace's time; sizes of page files
 * are those of the plugin's {@link io.hdfslocalcache.plugin.page.PageLayout}. A read that misses
 * visits its HDD, where it queues behind those that came before; the parts of a page that it reads
 * are on the SSD as soon as it has them. Pages leave in the order of the DataNode. Simplified: all
 * SSDs are one and take no time, and the OS page cache is left out.
 */
package io.hdfslocalcache.replay.simulate;
