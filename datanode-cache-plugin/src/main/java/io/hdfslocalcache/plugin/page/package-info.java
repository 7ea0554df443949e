/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The format of a page: a fixed slice of a block's data with its checksums, in a self-describing
 * file. Arithmetic and bytes, no disks.
 */
package io.hdfslocalcache.plugin.page;
