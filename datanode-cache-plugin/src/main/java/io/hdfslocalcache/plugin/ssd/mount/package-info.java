/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The directory of an SSD: whether it can be used, whose it is, and whether it is still there.
 */
package io.hdfslocalcache.plugin.ssd.mount;
