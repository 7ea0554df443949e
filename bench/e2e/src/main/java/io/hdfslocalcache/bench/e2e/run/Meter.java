/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.Load.Kind;
import io.hdfslocalcache.bench.e2e.client.LoadResult;
import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.CpuTimes;

/** Runs loads against a DataNode and measures what they get and what they cost. */
final class Meter {

  /** After a pause, connections have to be made again, which is not what is measured. */
  private static final double LEAD_SECONDS = 0.1;

  private final Client client;

  Meter(Client client) {
    this.client = client;
  }

  /** Measures a load after a moment of the same. For loads that may be repeated. */
  Slice afterLead(Member member, Load load) throws IOException, InterruptedException {
    CacheCounters before = member.node().counters();
    if (load.kind() == Kind.PREAD) {
      client.run(member.cluster(),
          load.seconds(Math.min(LEAD_SECONDS, load.seconds() / 4)).seed(~load.seed()));
    }
    return measure(member, before, load);
  }

  /** Measures loads that run at the same time. */
  Slice measure(Member member, Load... loads) throws IOException, InterruptedException {
    return measure(member, member.node().counters(), loads);
  }

  private Slice measure(Member member, CacheCounters before, Load... loads)
      throws IOException, InterruptedException {
    CpuTimes begin = member.node().cpu();
    List<LoadResult> results = client.run(member.cluster(), loads);
    CpuTimes end = member.node().cpu();
    CacheCounters after = member.node().counters();
    return new Slice(results, end.since(begin), after.bytesHit() - before.bytesHit(),
        after.bytes() - before.bytes(), after.errors() - before.errors());
  }
}
