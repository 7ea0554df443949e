/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What a page is: a fixed slice of a block's data together with the checksums of that slice, in
 * one file that says of itself what it holds. Arithmetic and bytes, no disks.
 */
package io.hdfslocalcache.plugin.page;
