/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Which blocks have pages on which snapshot of their replica: the map from a block to its cached
 * pages that deletes and appends need, and that spares reads of uncached blocks any look at an SSD.
 */
package io.hdfslocalcache.plugin.index;
