/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The block pools that the DataNode serves, as far as known. A block must not be judged before all
 * replicas of its pool are in the replica map, or it would seem deleted.
 */
final class BlockPools {

  /** What to do with the pages of a block. */
  enum Verdict {
    /** Ask the replica map. */
    ASK,
    /** The pool may still become ready. */
    WAIT,
    /** The DataNode does not serve the pool. */
    DROP
  }

  /** Nobody tells when the DataNode stops serving a pool that never was ready. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Map<String, Boolean> served = new HashMap<>();
  /** Number of pools that the DataNode serves, as far as known. */
  private IntSupplier services = () -> Integer.MAX_VALUE;
  private boolean closed;
  private int changes;
  /** The changes when all pools of the services were ready at first; -1: they are not. */
  private int readyChanges = -1;
  private long readySince;
  /** Completed by the next change. */
  private CompletableFuture<Void> next = new CompletableFuture<>();

  /**
   * The pool's replicas are in the replica map.
   *
   * @param now returns the number of pools that the DataNode serves at the moment, ready or not
   */
  synchronized void ready(String pool, IntSupplier now) {
    served.put(pool, true);
    services = now;
    changed();
  }

  /** The DataNode no longer serves the pool. */
  synchronized void removed(String pool) {
    served.put(pool, false);
    changed();
  }

  /**
   * A pool that is no longer served leaves the number of services a moment before {@link #removed}.
   * So nothing may have changed for a while.
   */
  private boolean areAllReady() {
    long now = TimeAndThreads.get().nanoTime();
    if (isOneMissing()) {
      readyChanges = -1;
      return false;
    }
    if (readyChanges != changes) {
      readyChanges = changes;
      readySince = now;
    }
    return now - readySince >= LOOK_NANOS;
  }

  private boolean isOneMissing() {
    return served.values().stream().filter(isServed -> isServed).count() < services.getAsInt();
  }

  /** @return whether a pool may still become ready. */
  synchronized boolean isAwaited(String pool) {
    return !served.containsKey(pool) && isOneMissing();
  }

  /** @return whether the DataNode serves a pool whose replicas are in the replica map. */
  synchronized boolean isAnyReady() {
    return served.containsValue(true);
  }

  /** Blocks are no longer judged: the replica map is being closed. */
  synchronized void close() {
    closed = true;
    changed();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized Verdict verdict(String pool) {
    Boolean isServed = served.get(pool);
    if (isServed == null) {
      return areAllReady() ? Verdict.DROP : Verdict.WAIT;
    }
    return isServed ? Verdict.ASK : Verdict.DROP;
  }

  private void changed() {
    changes++;
    next.complete(null);
    next = new CompletableFuture<>();
  }

  /** Wakes up the threads that wait for a change. */
  synchronized void wake() {
    changed();
  }

  /** @return a number that grows when verdicts may have changed. */
  synchronized int changes() {
    return changes;
  }

  /** Waits until {@link #changes} returns something else than this, or a second has passed. */
  void awaitChange(int seen) throws InterruptedException {
    CompletableFuture<Void> change;
    synchronized (this) {
      if (changes != seen || closed) {
        return;
      }
      change = next;
    }
    TimeAndThreads.get().isDoneIn(change, LOOK_NANOS);
  }
}
