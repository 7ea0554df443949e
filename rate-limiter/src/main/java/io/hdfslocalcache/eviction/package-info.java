/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The order of eviction, without the pages. The DataNode uses
 * {@link io.hdfslocalcache.eviction.LazyLru}, and so does the simulator, which compares it with its
 * own others.
 */
package io.hdfslocalcache.eviction;
