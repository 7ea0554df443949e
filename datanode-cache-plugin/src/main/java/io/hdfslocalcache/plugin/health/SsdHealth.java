/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.Operation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one SSD. Learns of every operation that failed, hung or was slow, and of probes. It
 * gets worse at once, and better only after several good probes in a row.
 *
 * <p>Only {@link #mayRead} and {@link #mayFill} are on a reader's path; they read one field.
 */
public final class SsdHealth {

  /** Is told of changes of the state. */
  public interface Listener {
    /** The state has changed. Called with the monitor of the health held: must return soon. */
    void changed(SsdState before, SsdState now, String reason);
  }

  private static final Logger LOG = LoggerFactory.getLogger(SsdHealth.class);

  private final HealthLimits limits;
  private final LongSupplier nanoClock;
  private final LongSupplier volumesNanos;
  private final Listener listener;
  /** Times of the recent errors, as many as matter. */
  private final Deque<Long> readErrors = new ArrayDeque<>();
  private final Deque<Long> writeErrors = new ArrayDeque<>();
  private final Deque<Long> damagedPages = new ArrayDeque<>();
  private double averageReadNanos;
  /** Reads in the average, as many as matter. Set by a test. */
  int reads;
  /**
   * Averages of the last reads: the wait for a thread, the time from then on, and that time divided
   * by the number of concurrent operations of the SSD.
   */
  private double recentQueueNanos;
  private double recentReadNanos;
  private double recentCostNanos;
  /** The longest read time of a good probe. */
  private long slowNanos = Long.MAX_VALUE;
  private int goodProbes;
  private long nextProbe;
  private volatile SsdState state = SsdState.NORMAL;
  private volatile String reason = "";
  private volatile Busy busy;
  private volatile long slowUntil;

  /** Reads waited for each other. @param since when that was last found */
  private record Busy(long since, String words) {
  }

  /**
   * @param nanoClock a clock that only goes forward, in nanoseconds
   * @param volumesNanos how long a read of the data volumes takes at present, in nanoseconds
   * @param listener told of each change
   */
  public SsdHealth(HealthLimits limits, LongSupplier nanoClock, LongSupplier volumesNanos,
      Listener listener) {
    this.limits = limits;
    this.nanoClock = nanoClock;
    this.volumesNanos = volumesNanos;
    this.listener = listener;
    this.slowUntil = nanoClock.getAsLong();
  }

  /** @return whether pages may be read. */
  public boolean mayRead() {
    return state.isReadable();
  }

  /** @return whether pages may be written. */
  public boolean mayFill() {
    return state.isFillable();
  }

  /** @return whether reads take so long that no reader should fill a page at present. */
  public boolean isSlow() {
    return nanoClock.getAsLong() - slowUntil < 0;
  }

  /** @return the state. */
  public SsdState state() {
    return state;
  }

  /** @return why the state is not normal; if it is normal, empty or that the SSD is busy. */
  public String reason() {
    Busy now = busy;
    return now == null || state != SsdState.NORMAL
        || nanoClock.getAsLong() - now.since() > HealthLimits.BUSY_NANOS ? reason : now.words();
  }

  /**
   * A read of the SSD, not of the OS page cache, has ended.
   *
   * @param queueNanos how long it waited for a thread
   * @param nanos how long it took from then on
   * @param atOnce number of concurrent operations of the SSD meanwhile, including this one
   */
  public synchronized void readTook(long queueNanos, long nanos, int atOnce) {
    reads = Math.min(reads + 1, HealthLimits.LATENCY_SAMPLES);
    int recent = Math.min(reads, HealthLimits.RECENT_SAMPLES);
    recentQueueNanos += (queueNanos - recentQueueNanos) / recent;
    recentReadNanos += (nanos - recentReadNanos) / recent;
    recentCostNanos += ((double) nanos / atOnce - recentCostNanos) / recent;
    averageReadNanos += (nanos - averageReadNanos) / reads;
    if (reads < HealthLimits.LATENCY_SAMPLES
        || averageReadNanos <= limits.slowLatencyNanos()) {
      return;
    }
    // What is busy beside busy volumes relieves them, even if a read of it takes as long.
    long most = HealthLimits.RELIEF * volumesNanos.getAsLong();
    if (averageReadNanos > Math.max(limits.downLatencyNanos(), most)) {
      slow(SsdState.DOWN, averageReadNanos, limits.downLatencyNanos(), "");
    } else if (averageReadNanos > most && !isSlow()) {
      long now = nanoClock.getAsLong();
      slowUntil = now + HealthLimits.PAUSE_NANOS;
      busy = new Busy(now, "busy: a read takes " + millis((long) averageReadNanos) + " on average");
    }
  }

  private void slow(SsdState worse, double nanos, long limit, String comparison) {
    if (worse.compareTo(state) > 0) {
      slowNanos = limit;
    }
    worsen(worse, "a read takes " + millis((long) nanos) + " on average" + comparison);
  }

  /**
   * A client's read has waited so long for the SSD that it continues from the replica. The state is
   * decided at once: an SSD slower than the data volume is no longer read; an SSD whose reads wait
   * for each other is only busy.
   *
   * @param volumeNanos how long the data volume takes for such a read, once it has begun
   */
  public synchronized void overdrawn(long volumeNanos) {
    long limit = HealthLimits.DISK_SEEK_NANOS + volumeNanos;
    if (recentCostNanos > limit) {
      slow(SsdState.DOWN, recentReadNanos, limit,
          ", " + millis(limit) + " from the data volume");
    } else if (recentQueueNanos + recentReadNanos > limit) {
      busy = new Busy(nanoClock.getAsLong(), "busy: a read waits " + millis((long) recentQueueNanos)
          + " for others and takes " + millis((long) recentReadNanos));
    }
  }

  /** An operation failed. Counts if the cause {@link ErrorCause#isOfDisk is the disk's}. */
  public synchronized void failed(Operation operation, Throwable error) {
    ErrorCause cause = ErrorCause.of(error);
    if (!cause.isOfDisk() || error instanceof SsdUnavailableException) {
      return;
    }
    if (cause == ErrorCause.DAMAGED) {
      if (areTooMany(damagedPages, HealthLimits.DAMAGED_PAGES)) {
        worsen(SsdState.DOWN, "returns wrong bytes, last: " + ErrorText.of(error));
      }
    } else if (operation.isWrite()) {
      if (areTooMany(writeErrors, HealthLimits.WRITE_ERRORS)) {
        worsen(SsdState.DEGRADED, "cannot be written: " + ErrorText.of(error));
      }
    } else if (areTooMany(readErrors, HealthLimits.READ_ERRORS)) {
      worsen(SsdState.DOWN, "cannot be read: " + ErrorText.of(error));
    }
  }

  /** Adds the present time. @return whether the window has that many */
  private boolean areTooMany(Deque<Long> times, int many) {
    long now = nanoClock.getAsLong();
    times.add(now);
    while (times.size() > many || now - times.peek() >= HealthLimits.WINDOW_NANOS) {
      times.remove();
    }
    return times.size() == many;
  }

  /** An operation did not return in time. */
  public synchronized void hung(Operation operation, long nanos) {
    worsen(SsdState.DOWN, "does not answer: " + operation.metric() + " for " + millis(nanos));
  }

  /**
   * The directory of the pages is missing, whatever happened before. If the SSD is down already,
   * only the reason changes, not the state.
   */
  public synchronized void lost(String why) {
    goodProbes = 0;
    if (state == SsdState.DOWN) {
      reason = why;
    } else {
      become(SsdState.DOWN, why);
    }
  }

  /** If the SSD is down, says why it still is. */
  public synchronized void stillDown(String why) {
    if (state == SsdState.DOWN) {
      reason = why;
    }
  }

  /** @return whether the SSD should be probed now; then the next probe is due an interval later. */
  public synchronized boolean isProbeDue() {
    long now = nanoClock.getAsLong();
    if (state == SsdState.NORMAL || now - nextProbe < 0) {
      return false;
    }
    nextProbe = now + limits.probeIntervalNanos();
    return true;
  }

  /**
   * A probe wrote to the SSD and read the same bytes back, in time.
   *
   * @param readNanos how long the read took; if the SSD went down because of such read times, the
   *     probe failed
   */
  public synchronized void probeSucceeded(long readNanos) {
    if (state == SsdState.NORMAL) {
      return;
    }
    if (readNanos > slowNanos) {
      probeFailed("a read takes " + millis(readNanos));
      return;
    }
    goodProbes++;
    if (goodProbes >= HealthLimits.GOOD_PROBES) {
      forgetTrouble();
      become(SsdState.NORMAL, "");
    } else if (state == SsdState.DOWN) {
      become(SsdState.PROBING, "it answers again, after: " + reason);
    }
  }

  /** A probe could not write, read back other bytes, or took too long. */
  public synchronized void probeFailed(String why) {
    goodProbes = 0;
    if (state == SsdState.PROBING) {
      become(SsdState.DOWN, "probe: " + why);
    }
  }

  private void forgetTrouble() {
    readErrors.clear();
    writeErrors.clear();
    damagedPages.clear();
    averageReadNanos = 0;
    recentQueueNanos = 0;
    recentReadNanos = 0;
    recentCostNanos = 0;
    reads = 0;
    slowNanos = Long.MAX_VALUE;
  }

  private void worsen(SsdState worse, String why) {
    goodProbes = 0;
    if (worse.compareTo(state) > 0) {
      nextProbe = nanoClock.getAsLong() + limits.probeIntervalNanos();
      become(worse, why);
    }
  }

  private void become(SsdState now, String why) {
    SsdState before = state;
    state = now;
    reason = why;
    try {
      listener.changed(before, now, why);
    } catch (RuntimeException | Error e) {
      // The caller, perhaps a client's read, continues anyhow.
      LOG.error("Local cache: could not handle an SSD's change to {}: {}", now, why, e);
    }
  }

  private static String millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
  }
}
