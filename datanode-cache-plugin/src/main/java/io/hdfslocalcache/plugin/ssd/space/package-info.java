/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The space on an SSD: the capacity for pages, their owners, and the order of eviction.
 */
package io.hdfslocalcache.plugin.ssd.space;
