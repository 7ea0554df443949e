/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The benchmark of a cluster, as a MapReduce job: the reads of a trace at their times. It runs on any
 * cluster that the configuration names, or on an embedded one.
 */
package io.hdfslocalcache.replay.benchmark;
