/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.util.List;

import io.hdfslocalcache.bench.e2e.client.LoadResult;
import io.hdfslocalcache.bench.e2e.cluster.CpuTimes;

/**
 * What was measured of one DataNode at one time.
 *
 * @param results of the loads that ran at the same time
 * @param cpu what the DataNode used, for all of them
 * @param bytesHit bytes that the local cache served from pages
 * @param bytesServed bytes that it saw being served, from wherever
 * @param errors that it counted
 */
record Slice(List<LoadResult> results, CpuTimes.Used cpu, long bytesHit, long bytesServed,
    long errors) {
}
