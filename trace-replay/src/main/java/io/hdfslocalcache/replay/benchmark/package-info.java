/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The benchmark of a cluster, as a MapReduce job: replays the reads of a trace at their times, on
 * any configured cluster or an embedded one.
 */
package io.hdfslocalcache.replay.benchmark;
