/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Which page leaves when there is no room for another: the order of eviction, without the pages. The
 * DataNode runs {@link io.hdfslocalcache.eviction.LazyLru}, and so does the simulator, which compares
 * it with others of its own.
 */
package io.hdfslocalcache.eviction;
