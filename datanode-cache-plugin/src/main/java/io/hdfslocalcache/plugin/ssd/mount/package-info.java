/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The directory of an SSD: whether it can be used, its owner, and whether it still exists.
 */
package io.hdfslocalcache.plugin.ssd.mount;
