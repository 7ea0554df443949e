/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.metrics.Operation;
import org.apache.hadoop.util.Daemon;

/**
 * The way to one SSD for everything that may block on it. A reader never waits for the SSD itself:
 * what is not known to be in memory is done by a thread of the SSD's own, and the reader gives up
 * after the deadline. Then the SSD is down, and all others who wait for it give up at once. The
 * threads that the SSD holds are bounded in number and come back when it does.
 */
public final class SsdIo implements Closeable {

  /** Something to be done on the SSD. */
  public interface Io<T> {
    T run() throws IOException;

    /** It will not be run: nobody waits for it any more. */
    default void skipped() {
    }
  }

  /** An operation in a thread that may be held for a while, such as a write. */
  private record Watched(Operation operation, long since) {
  }

  private final HealthLimits limits;
  private final SsdHealth health;
  private final ThreadPoolExecutor threads;
  private final Set<CompletableFuture<?>> waiting = ConcurrentHashMap.newKeySet();
  private final Map<Thread, Watched> watched = new ConcurrentHashMap<>();

  /**
   * @param name for the names of the threads
   * @param threads operations at a time
   */
  public SsdIo(String name, int threads, HealthLimits limits, SsdHealth health) {
    this.limits = limits;
    this.health = health;
    AtomicInteger number = new AtomicInteger();
    this.threads = new ThreadPoolExecutor(threads, threads, 60, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), task -> {
          Daemon thread = new Daemon(task);
          thread.setName("local-cache-io-" + name + "-" + number.incrementAndGet());
          return thread;
        });
    this.threads.allowCoreThreadTimeOut(true);
  }

  /** @return the state of the SSD. */
  public SsdHealth health() {
    return health;
  }

  /**
   * Begins something in a thread of the SSD's, for anybody to wait for.
   *
   * @return what to wait with; it has failed already if the SSD is down, or takes no more
   */
  public <T> Task<T> begin(Operation operation, Io<T> io) {
    Task<T> task = new Task<>(operation, io);
    waiting.add(task.result);
    try {
      // Asked after the entry was made: who makes the SSD go down sees the entry.
      if (health.mayRead()) {
        threads.execute(task);
      } else {
        task.giveUp(unavailable());
      }
    } catch (RejectedExecutionException e) {
      task.giveUp(new SsdUnavailableException("closed"));
    } catch (OutOfMemoryError e) {
      // No thread can be started.
      task.giveUp(e);
    }
    return task;
  }

  /** Does something in a thread of the SSD's, and waits for it until the deadline. */
  public <T> T await(Operation operation, Io<T> io) throws IOException {
    Task<T> task = begin(operation, io);
    try {
      return task.await();
    } finally {
      task.giveUp(new SsdUnavailableException("nobody waits for it"));
    }
  }

  /** Something that is done once, for all who wait for it. Is run or skipped, and not both. */
  public final class Task<T> implements Runnable {
    private final Operation operation;
    private final Io<T> io;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final AtomicBoolean taken = new AtomicBoolean();

    private Task(Operation operation, Io<T> io) {
      this.operation = operation;
      this.io = io;
    }

    /**
     * Waits until the deadline, which begins now.
     *
     * @throws SsdUnavailableException if the SSD is down, or goes down meanwhile
     * @throws SsdTimeoutException if the deadline passes; the SSD is down then
     * @throws IOException if the operation fails
     */
    public T await() throws IOException {
      try {
        return result.get(limits.deadlineNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        health.hung(operation, limits.deadlineNanos());
        failWaiting();
        throw new SsdTimeoutException("no answer in "
            + TimeUnit.NANOSECONDS.toMillis(limits.deadlineNanos()) + " ms");
      } catch (ExecutionException e) {
        throw asIOException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SsdUnavailableException("interrupted");
      }
    }

    /** @return whether nothing is left to wait for. */
    public boolean isOver() {
      return result.isDone();
    }

    @Override
    public void run() {
      if (!taken.compareAndSet(false, true)) {
        return;
      }
      long begin = System.nanoTime();
      try {
        T value = io.run();
        health.readTook(System.nanoTime() - begin);
        result.complete(value);
      } catch (IOException | RuntimeException | Error e) {
        result.completeExceptionally(e);
      } finally {
        waiting.remove(result);
      }
    }

    private void giveUp(Throwable why) {
      if (taken.compareAndSet(false, true)) {
        result.completeExceptionally(why);
        waiting.remove(result);
        threads.remove(this);
        io.skipped();
      }
    }
  }

  private static IOException asIOException(Throwable cause) {
    return cause instanceof IOException ? (IOException) cause
        : new IOException("reading an SSD: " + cause, cause);
  }

  private SsdUnavailableException unavailable() {
    return new SsdUnavailableException("the SSD is down: " + health.reason());
  }

  /** Whoever waits for an SSD that is down gives up. */
  public void failWaiting() {
    if (!health.mayRead()) {
      waiting.forEach(result -> result.completeExceptionally(unavailable()));
    }
  }

  /** Does something in this thread that may be held by the SSD for a while, under watch. */
  public <T> T watch(Operation operation, Io<T> io) throws IOException {
    Thread thread = Thread.currentThread();
    Watched outer = watched.put(thread, new Watched(operation, System.nanoTime()));
    try {
      return io.run();
    } finally {
      if (outer == null) {
        watched.remove(thread);
      } else {
        watched.put(thread, outer);
      }
    }
  }

  /** Looks whether an operation under watch hangs. Called every now and then. */
  public void check() {
    long now = System.nanoTime();
    for (Watched one : watched.values()) {
      if (now - one.since() > limits.writeDeadlineNanos()) {
        health.hung(one.operation(), now - one.since());
        failWaiting();
      }
    }
  }

  /** @return threads that do something now, or are held by the SSD. */
  public int activeThreads() {
    return threads.getActiveCount();
  }

  /** Takes no more. Threads that the SSD holds end when it lets them go. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
