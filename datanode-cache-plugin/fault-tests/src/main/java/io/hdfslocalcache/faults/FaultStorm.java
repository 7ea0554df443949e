/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.health.SsdState;

/** All faults at random under load: one or two at a time, then a while of peace. */
public final class FaultStorm {

  private static final int READERS = 16;
  private static final long DROP_MILLIS = 500;
  private static final int MAX_FAULT_MILLIS = 6000;
  private static final int MAX_PEACE_MILLIS = 4000;
  private static final long RECOVERY_SECONDS = 60;

  private final FaultCluster cluster;
  private final List<Scenario> faults;
  private final SplittableRandom random;
  private final long seed;
  private final PrintStream out;

  /** What came of it. */
  public record Result(int faults, long reads, long bytes, long failed, long wrong,
      long longestMillis, boolean recovered, Throwable failure) {
  }

  /** @param out told of each fault */
  public FaultStorm(FaultCluster cluster, Ssd.Kind kind, long seed, PrintStream out) {
    this.cluster = cluster;
    this.faults = Scenarios.all().stream().filter(s -> s.kind() == kind).toList();
    this.random = new SplittableRandom(seed);
    this.seed = seed;
    this.out = out;
  }

  /** Rages. @throws IOException if the cluster or a fault fails, and not a read */
  public Result rage(long millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    int count = 0;
    try (CacheDropper dropper = new CacheDropper(cluster.ssd(), DROP_MILLIS);
        Readers readers =
            new Readers(cluster.cluster().fs(), cluster.files(), READERS, seed);
        Churn churn = new Churn(cluster.cluster())) {
      while (System.nanoTime() < end && readers.firstFailure() == null && churn.failure() == null) {
        count += strike(readers);
        ScenarioRun.sleep(random.nextInt(MAX_PEACE_MILLIS));
      }
      boolean recovered = awaitNormal();
      Throwable failure =
          readers.firstFailure() != null ? readers.firstFailure() : churn.failure();
      return new Result(count, readers.reads(), readers.bytesRead(),
          readers.failed() + (churn.failure() == null ? 0 : 1), readers.wrong(),
          readers.longestMillis(), recovered, failure);
    }
  }

  private int strike(Readers readers) throws IOException {
    Scenario first = faults.get(random.nextInt(faults.size()));
    Scenario second = random.nextInt(3) == 0 ? faults.get(random.nextInt(faults.size())) : null;
    long millis = 200 + random.nextInt(MAX_FAULT_MILLIS);
    long reads = readers.reads();
    first.fault().begin(cluster.ssd());
    if (second != null) {
      second.fault().begin(cluster.ssd());
    }
    ScenarioRun.sleep(millis);
    String state = cluster.sick().io().health().state().toString();
    first.fault().end(cluster.ssd());
    if (second != null) {
      second.fault().end(cluster.ssd());
    }
    out.printf("%6d ms  %-45s %-9s %,6d reads%n", millis,
        first.name() + (second == null ? "" : " + " + second.name()), state,
        readers.reads() - reads);
    return second == null ? 1 : 2;
  }

  private boolean awaitNormal() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(RECOVERY_SECONDS);
    while (cluster.sick().io().health().state() != SsdState.NORMAL) {
      if (System.nanoTime() > end) {
        return false;
      }
      ScenarioRun.sleep(20);
    }
    return true;
  }
}
