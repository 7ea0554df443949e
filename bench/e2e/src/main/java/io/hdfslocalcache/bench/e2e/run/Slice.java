/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.Load.Kind;
import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.CpuTimes;

/**
 * What was measured of one DataNode at one time: what loads got, and what they cost.
 *
 * @param results of the loads that ran at the same time
 * @param cpu what the DataNode used, for all of them
 * @param bytesHit bytes that the local cache served from pages
 * @param bytesServed bytes that it saw being served, from wherever
 * @param errors that it counted
 */
record Slice(List<Load.Result> results, CpuTimes.Used cpu, long bytesHit, long bytesServed,
    long errors) {

  /** After a pause, connections have to be made again, which is not what is measured. */
  private static final double LEAD_SECONDS = 0.1;

  /** Measures a load after a moment of the same. For loads that may be repeated. */
  static Slice afterLead(Client client, Cluster cluster, Load load) throws IOException {
    CacheCounters before = cluster.counters();
    if (load.kind() == Kind.PREAD) {
      client.run(cluster,
          load.seconds(Math.min(LEAD_SECONDS, load.seconds() / 4)).seed(~load.seed()));
    }
    return measure(client, cluster, before, load);
  }

  /** Measures loads that run at the same time. */
  static Slice measure(Client client, Cluster cluster, Load... loads) throws IOException {
    return measure(client, cluster, cluster.counters(), loads);
  }

  private static Slice measure(Client client, Cluster cluster, CacheCounters before, Load... loads)
      throws IOException {
    CpuTimes begin = cluster.cpu();
    List<Load.Result> results = client.run(cluster, loads);
    CpuTimes end = cluster.cpu();
    CacheCounters after = cluster.counters();
    return new Slice(results, end.since(begin), after.bytesHit() - before.bytesHit(),
        after.bytes() - before.bytes(), after.errors() - before.errors());
  }
}
