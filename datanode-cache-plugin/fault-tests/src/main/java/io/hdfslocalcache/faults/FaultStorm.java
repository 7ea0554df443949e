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

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;

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
  private final List<LeftBehind> leftBehind = new ArrayList<>();
  private int faultCount;
  private long reads;
  private long bytes;
  private long failed;
  private long wrong;
  private long hits;
  private long misses;
  private long fills;
  private long rough;
  private long longestMillis;
  private long longestOnWellMillis;
  private long longestStartMillis;
  private boolean recovered = true;
  private Throwable failure;
  /** Those of the present load. */
  private Readers onWell;
  private JvmWatch jvm;

  /**
   * What came of it.
   *
   * @param hits of the DataNode's reads, those that the local cache served alone or in part
   * @param misses those of admitted blocks that it did not serve
   * @param fills pages that entered it
   * @param rough blocks that were read by clients that stop, leave, and have files change meanwhile
   * @param longestOnWellMillis the longest read of files on the SSD that is always well
   * @param longestStartMillis the longest start of a thread
   * @param recovered whether the SSD was in its normal state soon after the last fault
   * @param leftBehind what the DataNode held whenever it was stopped for a new SSD
   * @param failure what was wrong first, or null
   */
  public record Result(int faults, long reads, long bytes, long failed, long wrong,
      long hits, long misses, long fills, long rough, long longestMillis,
      long longestOnWellMillis, long longestStartMillis, boolean recovered,
      List<LeftBehind> leftBehind, Throwable failure) {
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
    while (System.nanoTime() < end && failure == null) {
      underLoad((readers, others) -> {
        while (System.nanoTime() < end && isWell(readers, others) && cluster.ssd().isInService()) {
          strike(readers);
          Wait.millis(random.nextInt(MAX_PEACE_MILLIS));
        }
        if (cluster.ssd().isInService()) {
          recovered &= awaitNormal();
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
      faultCount++;
      cluster.ssd().image().failReadOnly();
      cluster.ssd().faults().fault("read flip");
      bearOutOfService(readers);
      cluster.ssd().faults().clear();
    });
    replaceIfOutOfService();
  }

  /** @return what came of all. */
  public Result result() {
    return new Result(faultCount, reads, bytes, failed, wrong, hits, misses, fills,
        rough, longestMillis, longestOnWellMillis, longestStartMillis, recovered, leftBehind,
        failure);
  }

  private void underLoad(Course course) throws IOException {
    Readers readers = new Readers(cluster.cluster().fs(), cluster.files(), READERS,
        seed + faultCount);
    onWell = new Readers(cluster.cluster().fs(), cluster.filesOn(cluster.well()),
        READERS_OF_WELL, seed - faultCount);
    jvm = new JvmWatch();
    List<Background> others = new ArrayList<>(
        List.of(new Churn(cluster.cluster()), new Operator(cluster, seed + faultCount)));
    for (int i = 0; i < ROUGH_CLIENTS; i++) {
      others.add(new RoughClients(cluster.cluster(), seed + faultCount + i));
    }
    CacheDropper dropper = new CacheDropper(cluster.ssd(), DROP_MILLIS);
    count(-1);
    try (readers; Closeable well = onWell; Closeable watch = jvm; dropper;
        Closeable all = () -> closeAll(others)) {
      course.run(readers, others);
    } finally {
      add(readers);
      add(onWell);
      others.forEach(this::add);
      count(1);
      heldUp();
    }
  }

  private static void closeAll(List<Background> others) throws IOException {
    for (Background other : others) {
      other.close();
    }
  }

  /** Counts what the DataNode has counted; it forgets that when it is restarted. */
  private void count(int sign) {
    LocalCacheMetrics metrics = cluster.cluster().metrics(0);
    hits += sign * (metrics.reads(ReadOutcome.HIT) + metrics.reads(ReadOutcome.PARTIAL_HIT));
    misses += sign * metrics.reads(ReadOutcome.MISS_ADMITTED);
    fills += sign * metrics.total(Event.FILLS);
  }

  private void add(Readers readers) {
    reads += readers.reads();
    bytes += readers.bytesRead();
    failed += readers.failed();
    wrong += readers.wrong();
    longestMillis = Math.max(longestMillis, readers.longestMillis());
    failure = failure != null ? failure : readers.firstFailure();
  }

  private void add(Background other) {
    rough += other instanceof RoughClients clients ? clients.rounds() : 0;
    failed += other.failure() == null ? 0 : 1;
    failure = failure != null ? failure : other.failure();
  }

  private boolean isWell(Readers readers, List<Background> others) {
    return failure == null && readers.firstFailure() == null
        && others.stream().allMatch(other -> other.failure() == null);
  }

  private void strike(Readers readers) throws IOException {
    try (FirstReads unread = new FirstReads(cluster)) {
      strike(readers, unread);
      failure = failure != null ? failure : unread.failure();
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
    faultCount += second == null ? 1 : 2;
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
    longestOnWellMillis = Math.max(longestOnWellMillis, read);
    longestStartMillis = Math.max(longestStartMillis, start);
    return String.format("on the SSD that is well %,d ms, start of a thread %,d ms", read, start);
  }

  /**
   * Looks whether the kernel has taken the SSD's file system out of service, and if so does what an
   * operator would: stops the DataNode, puts an empty SSD in place, and starts it. Nobody may read.
   */
  public void replaceIfOutOfService() throws IOException {
    if (!cluster.ssd().isInService()) {
      LeftBehind left = cluster.replaceSsd();
      leftBehind.add(left);
      out.println("           DataNode stopped, SSD replaced; left behind: " + left);
      recovered &= awaitNormal();
    }
  }

  private SsdHealth health() {
    return cluster.sick().io().health();
  }

  private boolean awaitNormal() throws IOException {
    return Wait.until(() -> health().state() == SsdState.NORMAL, RECOVERY, 20);
  }
}
