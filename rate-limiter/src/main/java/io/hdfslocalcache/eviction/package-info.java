/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Which page leaves when there is no room for another: the policies, without the pages, but for
 * {@link io.hdfslocalcache.eviction.NumberedPages}, which stands for an SSD in the simulator. The
 * DataNode runs {@link io.hdfslocalcache.eviction.LazyLru}, and so does the simulator, which compares
 * it with the others.
 */
package io.hdfslocalcache.eviction;
