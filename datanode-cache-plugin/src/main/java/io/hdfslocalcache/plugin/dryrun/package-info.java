/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Dry run: what a local cache with certain settings would do, beside the reads of a live DataNode.
 * Each {@link io.hdfslocalcache.plugin.dryrun.Ghost} has a rate limiter, an index and an order of
 * eviction as the local cache has them, but no SSD: it counts, and changes no read.
 */
package io.hdfslocalcache.plugin.dryrun;
