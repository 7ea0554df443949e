/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What a local cache would have done with a trace. Admission is decided by the classes that a
 * DataNode runs, from {@link io.hdfslocalcache.ratelimit}, by the trace's time; sizes of page files
 * come from the plugin's {@link io.hdfslocalcache.plugin.page.PageLayout}. Simplified: a fill is
 * over at once and never dropped, all SSDs are one, and every page takes the room of a full one.
 */
package io.hdfslocalcache.replay.simulate;
