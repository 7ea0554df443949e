/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.stat.TraceStat;
import io.hdfslocalcache.replay.stat.TraceStat.Skew;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceBuilder;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * Makes up what came out of limiters on an SSD of 100 GB that may be written once a day, with the
 * trace of a day.
 */
final class Tried {

  static final long GB = 1L << 30;
  static final Wish WISH = new Wish(100 * GB, 1, 1);
  static final int PAGE = 1 << 20;

  private static final long DAY_MILLIS = 86_400_000;

  private final List<Result> limiters = new ArrayList<>();
  private final Result chosen;

  /** Makes up what the recommended limiter does. */
  Tried(double offload, long gigabytesWritten) {
    chosen = result(Limiter.WRITE_BUDGET, "-", "-", offload, gigabytesWritten);
  }

  /** Adds a limiter with a threshold. */
  Tried threshold(int x, double offload, long gigabytesWritten) {
    limiters.add(result(Limiter.BUCKET_TIME, "" + x, "10m", offload, gigabytesWritten));
    return this;
  }

  /** The second hour of the HDDs is worse than without a local cache, and their backlog stays. */
  private static Result result(String limiter, String x, String y, double offload,
      long gigabytesWritten) {
    long written = gigabytesWritten * GB;
    long capacity = WISH.capacity();
    return new Result(limiter, limiter, x, y, PAGE, capacity, 1000, 1000 * GB, 600, 100,
        100, 200, offload, 0.6, 0.5, 0.75, written, written, (double) written / capacity, 0, 100,
        100, 0, 0, 400, 600, 40, 60, 0.6, new double[] {0.5, 1.2}, 2, 1.2,
        load(40, DiskLoad.NEVER), load(100, 90), 0.1, 100, 25_000, 12,
        new double[] {offload, -1}, new long[] {written, 0});
  }

  private static DiskLoad load(double seconds, long reliefMinutes) {
    return new DiskLoad(400, seconds, new double[] {seconds, 0}, seconds, 20, 300, 720,
        new double[] {20, -1}, new double[] {300, -1}, 5, reliefMinutes);
  }

  private static Trace trace() {
    TraceBuilder builder = new TraceBuilder();
    int replica = builder.replica(new Replica("BP-1", 1, 1));
    builder.add(Op.READ, 0, replica, 0, 4096, builder.reader("r"));
    builder.add(Op.READ, DAY_MILLIS, replica, 0, 4096, builder.reader("r"));
    return builder.build();
  }

  Recommendation recommendation() throws TraceException {
    List<Result> all = new ArrayList<>(limiters);
    all.add(chosen);
    Trace trace = trace();
    return new Recommendation(WISH, Disk.DEFAULT, TraceStat.of(trace, 1), Skew.of(trace),
        Recommender.limiter(WISH), chosen, all, List.of(chosen), List.of(chosen), List.of(chosen),
        List.of(chosen));
  }
}
