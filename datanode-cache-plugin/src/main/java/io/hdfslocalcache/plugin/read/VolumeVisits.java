/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.PageKey;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Visits to data volumes that read more than a client requested: whole parts of pages. Threads of
 * the volume make them, and the client waits within its budget. Each volume has its own threads, so
 * that one that hangs does not delay others. Parts whose visit failed or took too long, for example
 * because of a bad sector, are not visited for ten minutes: clients read only the requested bytes.
 */
public final class VolumeVisits implements Closeable {

  /** Concurrent visits to a volume. Beyond that, clients read only the requested bytes. */
  static final int MOST_AT_ONCE = 64;
  /** Number of remembered parts. */
  static final int MOST_AVOIDED = 4096;
  private static final long AVOIDED_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int IDLE_SECONDS = 60;

  private final LongSupplier nanoClock;
  private final ConcurrentHashMap<String, ThreadPoolExecutor> threads = new ConcurrentHashMap<>();
  /** Start of the pause of each part, the oldest first. */
  private final Map<Part, Long> avoided = new LinkedHashMap<>();
  private volatile boolean closed;

  private record Part(PageKey page, int number) {
  }

  /** @param nanoClock a clock that only goes forward, in nanoseconds */
  public VolumeVisits(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * @param volume its directory
   * @return runs a visit in a thread of the volume at once, or throws a
   *     {@link RejectedExecutionException} if all are busy, none can be started, or this is closed
   */
  Executor threadsOf(String volume) {
    return visit -> {
      if (closed || volume == null) {
        throw new RejectedExecutionException("no threads");
      }
      try {
        threads.computeIfAbsent(volume, directory -> newThreads()).execute(visit);
      } catch (OutOfMemoryError e) {
        throw new RejectedExecutionException("no thread can be started", e);
      }
    };
  }

  private static ThreadPoolExecutor newThreads() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0, MOST_AT_ONCE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
        visit -> TimeAndThreads.get()
            .newThread("local-cache-visit-" + number.incrementAndGet(), visit));
  }

  /** A visit failed, or took too long. */
  synchronized void avoid(CachedBlock block, PageSlice slice) {
    long now = nanoClock.getAsLong();
    PageKey page = PageKey.of(block, slice.page());
    for (int number = slice.firstPart(); number <= slice.lastPart(); number++) {
      Part part = new Part(page, number);
      avoided.remove(part);
      avoided.put(part, now);
      if (avoided.size() > MOST_AVOIDED) {
        avoided.remove(avoided.keySet().iterator().next());
      }
    }
  }

  /** @return whether visits pause for one of the parts. */
  synchronized boolean isAvoided(CachedBlock block, PageSlice slice) {
    if (avoided.isEmpty()) {
      return false;
    }
    long now = nanoClock.getAsLong();
    PageKey page = PageKey.of(block, slice.page());
    return IntStream.rangeClosed(slice.firstPart(), slice.lastPart()).anyMatch(number -> {
      Long since = avoided.get(new Part(page, number));
      return since != null && now - since <= AVOIDED_NANOS;
    });
  }

  /** Accepts no more visits. */
  @Override
  public void close() {
    closed = true;
    threads.values().forEach(ThreadPoolExecutor::shutdown);
  }
}
