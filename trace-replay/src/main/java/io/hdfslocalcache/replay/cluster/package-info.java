/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The cluster that a command runs on, the MapReduce jobs it runs there, and the directory of its
 * results.
 */
package io.hdfslocalcache.replay.cluster;
