/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.hdfslocalcache.faults.Background.CacheDropper;
import io.hdfslocalcache.faults.Background.Churn;
import io.hdfslocalcache.faults.Background.FirstReads;
import io.hdfslocalcache.faults.Background.JvmWatch;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.Readers;
import org.apache.hadoop.io.MultipleIOException;

/** Clients of all sorts on a cluster, and the faults that strike it meanwhile. */
public final class Load implements Closeable {

  /** How long a read of the other SSD, and the start of a thread, may take. */
  public static final long MOST_READ_MILLIS = 1500;
  /** @see #MOST_READ_MILLIS */
  public static final long MOST_START_MILLIS = 1000;

  private static final int READERS_OF_WELL = 2;
  private static final int ROUGH_CLIENTS = 3;
  private static final long DROP_MILLIS = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final FaultCluster cluster;
  private final Readers readers;
  private final Readers onWell;
  private final JvmWatch jvm = new JvmWatch();
  private final List<Background> others = new ArrayList<>();
  private Throwable failure;

  /**
   * Delays of what the faults must not affect.
   *
   * @param readMillis the longest read of files on the other SSD
   * @param startMillis the longest start of a thread
   */
  public record Stalls(long readMillis, long startMillis) {

    @Override
    public String toString() {
      return "longest read of the other SSD " + readMillis + " ms, start of a thread "
          + startMillis + " ms";
    }
  }

  /**
   * The outcome of faults.
   *
   * @param reads reads that ended meanwhile
   * @param sick the SSD's worst state, and why; empty if it was always normal
   * @param other the same of the other SSD
   * @param downMillis how long the SSD was down or only probed
   * @param hitsWhileDown hits in that time, which only the other SSD can have served
   */
  public record Outcome(long reads, String sick, String other, long downMillis,
      long hitsWhileDown) {
  }

  /** The worst of the states in which an SSD was seen. */
  private static final class Watch {
    private final SsdHealth health;
    private SsdState worst = SsdState.NORMAL;
    private String reason = "";

    Watch(SsdHealth health) {
      this.health = health;
    }

    SsdState look() {
      SsdState now = health.state();
      if (now.compareTo(worst) > 0) {
        worst = now;
        reason = now + ": " + health.reason();
      }
      return now;
    }
  }

  /**
   * Begins.
   *
   * @param readers clients that read all the time
   */
  public Load(FaultCluster cluster, int readers, long seed) throws IOException {
    this.cluster = cluster;
    this.readers = new Readers(cluster.cluster().fs(), cluster.files(), readers, seed);
    this.onWell = new Readers(cluster.cluster().fs(), cluster.filesOn(cluster.well()),
        READERS_OF_WELL, seed + 1);
    others.add(new Churn(cluster.cluster()));
    others.add(new CacheDropper(cluster.ssd(), DROP_MILLIS));
    for (int i = 0; i < ROUGH_CLIENTS; i++) {
      others.add(new RoughClients(cluster.cluster(), seed + i));
    }
  }

  /** @return reads, by the clients that read all the time, so far. */
  public Readers readers() {
    return readers;
  }

  /** @return what was wrong first, or null. */
  public Throwable failure() {
    return Stream.concat(Stream.of(failure, readers.firstFailure(), onWell.firstFailure()),
        others.stream().map(Background::failure)).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** @return the delays since the last call. */
  public Stalls takeStalls() {
    Stalls stalls = new Stalls(onWell.longestMillis(), jvm.takeLongestMillis());
    onWell.forgetLongest();
    return stalls;
  }

  /** Waits until each client has ended a read that began now or later. */
  public void awaitReads() throws IOException {
    for (Readers each : List.of(readers, onWell)) {
      long before = each.reads();
      if (!Wait.until(() -> each.reads() >= before + 2L * each.threads(), PATIENCE, 5)) {
        throw new IOException("not within " + PATIENCE + ": reads");
      }
    }
  }

  /** Applies a fault. @throws IOException if the cluster or the fault fails, and not a read */
  public Outcome strike(Fault fault) throws IOException {
    FirstReads unread = new FirstReads(cluster);
    Outcome outcome;
    try (unread) {
      readers.forgetLongest();
      takeStalls();
      long before = readers.reads();
      fault.begin(cluster);
      unread.begin(fault.millis());
      Watch sick = new Watch(cluster.sick().io().health());
      Watch other = new Watch(cluster.well().io().health());
      long down = 0;
      long hitsWhileDown = 0;
      long hits = hits();
      long last = System.nanoTime();
      for (long end = last + TimeUnit.MILLISECONDS.toNanos(fault.millis()); last < end;) {
        Wait.millis(2);
        other.look();
        boolean isDown = !sick.look().isReadable();
        long now = System.nanoTime();
        long hitsNow = hits();
        down += isDown ? now - last : 0;
        hitsWhileDown += isDown ? hitsNow - hits : 0;
        last = now;
        hits = hitsNow;
      }
      long reads = readers.reads() - before;
      fault.end(cluster);
      sick.look();
      outcome = new Outcome(reads, sick.reason, other.reason,
          TimeUnit.NANOSECONDS.toMillis(down), hitsWhileDown);
    }
    failure = failure != null ? failure : unread.failure();
    return outcome;
  }

  private long hits() {
    return cluster.cluster().metrics(0).reads(ReadOutcome.HIT);
  }

  @Override
  public void close() throws IOException {
    List<Closeable> all = new ArrayList<>(others);
    all.addAll(List.of(jvm, onWell, readers));
    MultipleIOException.Builder failures = new MultipleIOException.Builder();
    for (Closeable each : all) {
      try {
        each.close();
      } catch (IOException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.build();
    }
  }
}
