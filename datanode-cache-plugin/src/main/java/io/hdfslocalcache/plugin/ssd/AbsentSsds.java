/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.health.SsdHealth;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSDs that could not be used when the DataNode started: not mounted, broken, or too small. Tries
 * every now and then whether they can be used, each in a thread of its own, which may get stuck with
 * the SSD.
 */
final class AbsentSsds implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(AbsentSsds.class);

  private final long intervalNanos;
  private final Map<Path, String> reasons = new ConcurrentSkipListMap<>();
  private final Queue<Daemon> threads = new ConcurrentLinkedQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** @param intervalNanos time between two attempts */
  AbsentSsds(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /**
   * Adds an SSD, which is not tried before {@link #start}.
   *
   * @param opening opens it and has it used; throws if it cannot be used yet
   */
  void add(Path directory, String reason, InvocationRaisingIOE opening) {
    reasons.put(directory, reason);
    Daemon thread = new Daemon(() -> tryUntilOpen(directory, opening));
    thread.setName("local-cache-absent-" + directory);
    threads.add(thread);
  }

  /** Begins to try. */
  void start() {
    threads.forEach(Thread::start);
  }

  private void tryUntilOpen(Path directory, InvocationRaisingIOE opening) {
    try {
      while (!closed.await(intervalNanos, TimeUnit.NANOSECONDS)) {
        try {
          opening.apply();
          reasons.remove(directory);
          return;
        } catch (IOException | RuntimeException | Error e) {
          String reason = SsdHealth.words(e);
          if (!reason.equals(reasons.put(directory, reason))) {
            LOG.warn("Local cache: {} is still down, now: {}", directory, reason);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** @return the SSDs that cannot be used, with the reason. */
  Map<Path, String> reasons() {
    return reasons;
  }

  /** Tries no more. Returns at once. */
  @Override
  public void close() {
    closed.countDown();
  }
}
