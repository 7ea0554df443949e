/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.hdfslocalcache.faults.Background.CacheDropper;
import io.hdfslocalcache.faults.Background.Churn;
import io.hdfslocalcache.faults.Background.JvmWatch;
import io.hdfslocalcache.faults.Held.LeftBehind;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.Readers;

/**
 * All faults at random under load: one or two at a time, then a while of peace. An operator clears
 * blocks all the time, so that reads miss. Should the kernel take the SSD's file system out of
 * service for good, load goes on for a while; then the SSD is replaced, as an operator would do it.
 */
public final class FaultStorm {

  private static final int READERS = 16;
  private static final int READERS_OF_WELL = 2;
  private static final int ROUGH_CLIENTS = 3;
  private static final long DROP_MILLIS = 500;
  private static final int MAX_FAULT_MILLIS = 6000;
  private static final int MAX_PEACE_MILLIS = 4000;
  private static final long OUT_OF_SERVICE_MILLIS = 10_000;
  private static final Duration RECOVERY = Duration.ofMinutes(1);

  private final FaultCluster cluster;
  private final List<Scenario> faults;
  private final SplittableRandom random;
  private final long seed;
  private final PrintStream out;
  private final Result result = new Result();
  /** Those of the present load. */
  private Readers onWell;
  private JvmWatch jvm;

  /** What came of it. */
  static final class Result {
    /** What the DataNode held whenever it was stopped for a new SSD. */
    final List<LeftBehind> leftBehind = new ArrayList<>();
    int faults;
    long reads;
    long bytes;
    long failed;
    long wrong;
    /** Of the DataNode's reads, those that the local cache served alone or in part. */
    long hits;
    /** Those of admitted blocks that it did not serve. */
    long misses;
    /** Pages that entered it. */
    long fills;
    /** Blocks read by clients that stop, leave, and have files change meanwhile. */
    long rough;
    long longestMillis;
    /** The longest read of files on the SSD that is always well. */
    long longestOnWellMillis;
    /** The longest start of a thread. */
    long longestStartMillis;
    /** Whether the SSD was in its normal state soon after the last fault. */
    boolean recovered = true;
    /** What was wrong first, or null. */
    Throwable failure;
  }

  /** What happens while clients read. */
  private interface Course {
    void run(Readers readers, List<Background> others) throws IOException;
  }

  /** @param out told of each fault */
  public FaultStorm(FaultCluster cluster, Ssd.Kind kind, long seed, PrintStream out) {
    this.cluster = cluster;
    this.faults = Scenario.all().stream().filter(s -> s.kind() == kind).toList();
    this.random = new SplittableRandom(seed);
    this.seed = seed;
    this.out = out;
  }

  /** Rages. @throws IOException if the cluster or a fault fails, and not a read */
  public void rage(long millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end && result.failure == null) {
      underLoad((readers, others) -> {
        while (System.nanoTime() < end && isWell(readers, others) && cluster.ssd().isInService()) {
          strike(readers);
          Wait.millis(random.nextInt(MAX_PEACE_MILLIS));
        }
        if (cluster.ssd().isInService()) {
          result.recovered &= awaitNormal();
        } else {
          bearOutOfService(readers);
        }
      });
      replaceIfOutOfService();
    }
  }

  /** Has the kernel take the file system out of service under load, and puts a new SSD in place. */
  public void endWithDamagedFileSystem() throws IOException {
    underLoad((readers, others) -> {
      result.faults++;
      cluster.ssd().image().failReadOnly();
      cluster.ssd().faults().fault("read flip");
      bearOutOfService(readers);
      cluster.ssd().faults().clear();
    });
    replaceIfOutOfService();
  }

  /** @return what came of all so far. */
  Result result() {
    return result;
  }

  private void underLoad(Course course) throws IOException {
    Readers readers = new Readers(cluster.cluster().fs(), cluster.files(), READERS,
        seed + result.faults);
    onWell = new Readers(cluster.cluster().fs(), cluster.filesOn(cluster.well()),
        READERS_OF_WELL, seed - result.faults);
    jvm = new JvmWatch();
    List<Background> others = new ArrayList<>(
        List.of(new Churn(cluster.cluster()), new Operator(cluster, seed + result.faults)));
    for (int i = 0; i < ROUGH_CLIENTS; i++) {
      others.add(new RoughClients(cluster.cluster(), seed + result.faults + i));
    }
    CacheDropper dropper = new CacheDropper(cluster.ssd(), DROP_MILLIS);
    count(-1);
    try (readers; Closeable well = onWell; Closeable watch = jvm; dropper;
        Closeable all = () -> Background.closeAll(others)) {
      course.run(readers, others);
    } finally {
      add(readers);
      add(onWell);
      others.forEach(this::add);
      count(1);
      heldUp();
    }
  }

  /** Counts what the DataNode has counted; it forgets that when it is restarted. */
  private void count(int sign) {
    LocalCacheMetrics metrics = cluster.cluster().metrics(0);
    result.hits += sign
        * (metrics.reads(ReadOutcome.HIT) + metrics.reads(ReadOutcome.PARTIAL_HIT));
    result.misses += sign * metrics.reads(ReadOutcome.MISS_ADMITTED);
    result.fills += sign * metrics.total(Event.FILLS);
  }

  private void add(Readers readers) {
    result.reads += readers.reads();
    result.bytes += readers.bytesRead();
    result.failed += readers.failed();
    result.wrong += readers.wrong();
    result.longestMillis = Math.max(result.longestMillis, readers.longestMillis());
    result.failure = result.failure != null ? result.failure : readers.firstFailure();
  }

  private void add(Background other) {
    result.rough += other instanceof RoughClients clients ? clients.rounds() : 0;
    result.failed += other.failure() == null ? 0 : 1;
    result.failure = result.failure != null ? result.failure : other.failure();
  }

  private boolean isWell(Readers readers, List<Background> others) {
    return result.failure == null && readers.firstFailure() == null
        && others.stream().allMatch(other -> other.failure() == null);
  }

  private void strike(Readers readers) throws IOException {
    try (FirstReads unread = new FirstReads(cluster)) {
      strike(readers, unread);
      result.failure = result.failure != null ? result.failure : unread.failure();
    }
  }

  private void strike(Readers readers, FirstReads unread) throws IOException {
    Scenario first = faults.get(random.nextInt(faults.size()));
    Scenario second = random.nextInt(3) == 0 ? faults.get(random.nextInt(faults.size())) : null;
    if (second != null && first.fault().needsSsd() && second.fault().needsSsd()) {
      second = null;
    }
    long millis = 200 + random.nextInt(MAX_FAULT_MILLIS);
    long before = readers.reads();
    List<Fault> struck = inOrder(first, second);
    for (Fault fault : struck) {
      fault.begin(cluster);
    }
    unread.begin(millis);
    Wait.millis(millis);
    String state = health().state().toString();
    for (int i = struck.size() - 1; i >= 0; i--) {
      struck.get(i).end(cluster);
    }
    result.faults += second == null ? 1 : 2;
    tell(millis, first.name() + (second == null ? "" : " + " + second.name()), state,
        readers.reads() - before);
  }

  /** What needs the SSD comes first, and ends last: the other one may have all calls hang. */
  private static List<Fault> inOrder(Scenario first, Scenario second) {
    return Stream.of(first, second).filter(Objects::nonNull).map(Scenario::fault)
        .sorted(Comparator.comparing(fault -> !fault.needsSsd())).toList();
  }

  private void bearOutOfService(Readers readers) throws IOException {
    long before = readers.reads();
    Wait.millis(OUT_OF_SERVICE_MILLIS);
    tell(OUT_OF_SERVICE_MILLIS, "file system out of service",
        health().state() + ": " + health().reason(), readers.reads() - before);
  }

  private void tell(long millis, String what, String state, long readsMeanwhile) {
    out.printf("%6d ms  %-45s %-9s %,6d reads, %s%n", millis, what, state, readsMeanwhile,
        heldUp());
  }

  /** @return what the SSD that is well, and the JVM, took at most since this was asked last. */
  private String heldUp() {
    long read = onWell.longestMillis();
    long start = jvm.takeLongestMillis();
    onWell.forgetLongest();
    result.longestOnWellMillis = Math.max(result.longestOnWellMillis, read);
    result.longestStartMillis = Math.max(result.longestStartMillis, start);
    return String.format("on the SSD that is well %,d ms, start of a thread %,d ms", read, start);
  }

  /**
   * Looks whether the kernel has taken the SSD's file system out of service, and if so does what an
   * operator would: stops the DataNode, puts an empty SSD in place, and starts it. Nobody may read.
   */
  public void replaceIfOutOfService() throws IOException {
    if (!cluster.ssd().isInService()) {
      LeftBehind left = cluster.replaceSsd();
      result.leftBehind.add(left);
      out.println("           DataNode stopped, SSD replaced; left behind: " + left);
      result.recovered &= awaitNormal();
    }
  }

  private SsdHealth health() {
    return cluster.sick().io().health();
  }

  private boolean awaitNormal() throws IOException {
    return Wait.until(() -> health().state() == SsdState.NORMAL, RECOVERY, 20);
  }
}
