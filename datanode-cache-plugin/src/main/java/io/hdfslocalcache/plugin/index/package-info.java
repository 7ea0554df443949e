/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The map from a block to its cached pages, with the snapshot of the replica: deletes and appends
 * need it, and reads of uncached blocks need no SSD access to find out.
 */
package io.hdfslocalcache.plugin.index;
