/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * One SSD of a DataNode: which pages are on it, in Alluxio's index, and what comes and goes. The
 * directory of the SSD, the space on it and the files have packages of their own below.
 */
package io.hdfslocalcache.plugin.ssd;
