/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Pages on SSDs. One {@link io.hdfslocalcache.plugin.store.SsdDirectory} per SSD joins Alluxio's
 * page index and evictor with our own page files: kept open, never rewritten in place, handed to
 * the reader so that the transfer runs outside every lock.
 */
package io.hdfslocalcache.plugin.store;
