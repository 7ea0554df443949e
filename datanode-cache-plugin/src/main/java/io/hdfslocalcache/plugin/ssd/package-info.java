/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * One SSD of a DataNode: its pages, in Alluxio's index, and their changes. The SSD's directory, its
 * space and its files have their own packages below.
 */
package io.hdfslocalcache.plugin.ssd;
