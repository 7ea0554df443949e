/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSDs that could not be opened: not mounted, broken, or too small; and those not in use whose
 * saved state could not be read. Retries them from time to time, each in its own thread, which may hang
 * with the SSD.
 */
final class AbsentSsds implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(AbsentSsds.class);

  private final long intervalNanos;
  private final Map<Path, Absent> all = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private boolean started;

  /** @param intervalNanos time between two attempts */
  AbsentSsds(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** An SSD to retry as long as it is in {@link #all}. */
  private final class Absent {
    private final Path directory;
    private final InvocationRaisingIOE opening;
    private volatile String reason;

    Absent(Path directory, String reason, InvocationRaisingIOE opening) {
      this.directory = directory;
      this.reason = reason;
      this.opening = opening;
    }

    void start() {
      Thread thread = TimeAndThreads.get().newThread(this::tryUntilOpen);
      thread.setName("local-cache-absent-" + directory);
      thread.start();
    }

    private void tryUntilOpen() {
      try {
        while (!TimeAndThreads.get().isDoneIn(closed, intervalNanos)
            && all.get(directory) == this) {
          try {
            opening.apply();
            all.remove(directory, this);
            return;
          } catch (IOException | RuntimeException | Error e) {
            failed(ErrorText.of(e));
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void failed(String now) {
      if (!now.equals(reason)) {
        reason = now;
        LOG.warn("Local cache: {} is still down: {}", directory, now);
      }
    }
  }

  /**
   * Adds an SSD, which is retried after {@link #start}.
   *
   * @param opening opens it and puts it into use, or reads it; throws if that is not possible yet
   */
  synchronized void add(Path directory, String reason, InvocationRaisingIOE opening) {
    Absent absent = new Absent(directory, reason, opening);
    all.put(directory, absent);
    if (started) {
      absent.start();
    }
  }

  /** Stops retrying an SSD, if it is one of these. An attempt may still be running. */
  void remove(Path directory) {
    all.remove(directory);
  }

  /** An attempt of others has failed. @param directory need not be one of these */
  void failed(Path directory, String now) {
    Absent absent = all.get(directory);
    if (absent != null) {
      absent.failed(now);
    }
  }

  /** Starts retrying. */
  synchronized void start() {
    started = true;
    all.values().forEach(Absent::start);
  }

  /** @return the SSDs that cannot be used, with the reason. */
  Map<Path, String> reasons() {
    Map<Path, String> reasons = new TreeMap<>();
    all.forEach((directory, absent) -> reasons.put(directory, absent.reason));
    return reasons;
  }

  /** Stops retrying. Returns at once. */
  @Override
  public void close() {
    closed.complete(null);
  }
}
