/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Benchmarks of a cluster as MapReduce jobs: one file on one DataNode (baseline), many readers
 * (scale), and the reads of a trace at their times (replay). They run on any cluster that the
 * configuration names, or on an embedded one.
 */
package io.hdfslocalcache.replay.benchmark;
