/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The space on an SSD: how much pages may take, whose they are, and which leaves next.
 */
package io.hdfslocalcache.plugin.ssd.space;
