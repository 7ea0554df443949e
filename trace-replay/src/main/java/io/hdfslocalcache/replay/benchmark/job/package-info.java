/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** How the benchmarks use MapReduce: a number of tasks, and one tally or more from each. */
package io.hdfslocalcache.replay.benchmark.job;
