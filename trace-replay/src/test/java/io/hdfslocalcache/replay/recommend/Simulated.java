/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Tried;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.Trace.TraceBuilder;
import io.hdfslocalcache.replay.trace.TraceException;
import io.hdfslocalcache.replay.trace.TraceStat;

/**
 * Makes up what a limiter did on an SSD of 100 GB that may be written once a day and costs 1000, of
 * which pages take 90 GB. In each span of the trace, 10 GB were read.
 */
final class Simulated {

  static final long GB = 1L << 30;
  static final Wish WISH = new Wish(100 * GB, 1, 1, 1000);
  static final int PAGE = 1 << 20;

  private static final long HOUR_MILLIS = 3_600_000;

  private final double hours;
  private final double[] offloads;
  private final long[] written;

  /** @param spans number of equal spans of the trace */
  Simulated(double hours, int spans) {
    this.hours = hours;
    this.offloads = new double[spans];
    this.written = new long[spans];
  }

  /** @return a trace of 20 hours that fills the SSD in 8, and then writes 50 GB, most of it early. */
  static Simulated steady() {
    return new Simulated(20, 20).spans(0, 8, 0.1, 11.25).spans(8, 14, 0.6, 7).spans(14, 20, 0.5, 2);
  }

  /** From a span to another: what came from the SSD, and what was written to it in each. */
  Simulated spans(int from, int to, double offload, double gigabytes) {
    Arrays.fill(offloads, from, to, offload);
    Arrays.fill(written, from, to, Math.round(gigabytes * GB));
    return this;
  }

  /** The second hour of the HDDs is worse than without a local cache, and their backlog stays. */
  Result result() {
    long all = Arrays.stream(written).sum();
    long[] bytes = new long[written.length];
    Arrays.fill(bytes, 10 * GB);
    double offload = Arrays.stream(offloads).average().orElseThrow();
    long capacity = WISH.capacity();
    return new Result("made up", "-", "-", PAGE, capacity, 1000,
        10 * GB * bytes.length, 600, 100, 100, 200, offload, 0.6, 0.5, 0.75, all,
        100, 100, all > capacity ? 7 : 0, 0, 600, 0.6, 2, 1.2, load(40, DiskLoad.NEVER),
        load(100, 90), 100, 25_000, hours / bytes.length, offloads, written, bytes);
  }

  private static DiskLoad load(double seconds, long reliefMinutes) {
    return new DiskLoad(400, seconds, new double[] {seconds, 0}, seconds, 20, 300,
        reliefMinutes);
  }

  private Trace trace() {
    TraceBuilder builder = new TraceBuilder();
    int replica = builder.replica(new Replica("BP-1", 1, 1));
    builder.add(Op.READ, 0, replica, 0, 4096, builder.reader("r"));
    builder.add(Op.READ, (long) (hours * HOUR_MILLIS), replica, 0, 4096, builder.reader("r"));
    return builder.build();
  }

  Estimate estimate() {
    return Estimate.of(result(), WISH, WISH.drivesPerDay());
  }

  Recommendation recommendation() throws TraceException {
    Result chosen = result();
    List<Tried> tried = List.of(new Tried(chosen, estimate()));
    return new Recommendation(WISH, Disk.DEFAULT, TraceStat.of(trace(), 1), chosen, estimate(),
        tried, tried, tried, List.of(chosen), List.of(chosen));
  }
}
