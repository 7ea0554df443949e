/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The cluster of a command, its MapReduce jobs, and the directory of its results.
 */
package io.hdfslocalcache.replay.cluster;
