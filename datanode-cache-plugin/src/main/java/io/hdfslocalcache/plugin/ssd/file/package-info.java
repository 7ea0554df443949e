/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The files of pages on an SSD: their places, reading and writing, and the replica that they were
 * copied from.
 */
package io.hdfslocalcache.plugin.ssd.file;
