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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The way to one SSD for everything that may block on it. A reader never waits for the SSD itself:
 * everything is done by threads of the SSD's own, and the reader gives up when it has waited for long
 * enough. When something has held a thread until the deadline, the SSD is down, and all who wait for
 * it give up at once. The threads that the SSD holds are bounded in number and come back when it does.
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
  private final RunningTime time;
  private final ThreadPoolExecutor threads;
  /** Those that wait for a thread, and those that have one. */
  private final Set<Task<?>> tasks = ConcurrentHashMap.newKeySet();
  private final Map<Thread, Watched> watched = new ConcurrentHashMap<>();
  private final AtomicInteger running = new AtomicInteger();

  /**
   * @param name for the names of the threads
   * @param threads operations at a time
   */
  public SsdIo(String name, int threads, HealthLimits limits, SsdHealth health) {
    this(name, threads, limits, health, TimeAndThreads.get()::nanoTime, TimeAndThreads.get()::newThread);
  }

  /**
   * The same.
   *
   * @param nanoClock a clock that only goes forward, in nanoseconds; not for how long readers wait
   * @param factory makes the threads
   */
  SsdIo(String name, int threads, HealthLimits limits, SsdHealth health, LongSupplier nanoClock,
      ThreadFactory factory) {
    this.limits = limits;
    this.time = new RunningTime(nanoClock);
    this.health = health;
    this.threads =
        TimeAndThreads.get().newPool("local-cache-io-" + name + "-", threads, factory);
  }

  /** @return the state of the SSD. */
  public SsdHealth health() {
    return health;
  }

  /** @return the time by which it is judged how long something takes. */
  RunningTime runningTime() {
    return time;
  }

  /**
   * @return something to be done in a thread of the SSD's, once it is {@link Task#begin begun}; it may
   *     be waited for before
   */
  public <T> Task<T> task(Operation operation, Io<T> io) {
    return new Task<>(operation, io);
  }

  /**
   * Begins something in a thread of the SSD's, for anybody to wait for.
   *
   * @return what to wait with; it has failed already if the SSD is down, or takes no more
   */
  public <T> Task<T> begin(Operation operation, Io<T> io) {
    Task<T> task = task(operation, io);
    task.begin();
    return task;
  }

  /**
   * Does something in a thread of the SSD's, and waits for it until the deadline. If nobody else
   * has begun with it by then, it is left out.
   *
   * @throws SsdUnavailableException if the SSD is down, or goes down meanwhile
   * @throws SsdTimeoutException if the deadline passes
   * @throws IOException if the operation fails
   */
  public <T> T await(Operation operation, Io<T> io) throws IOException {
    Task<T> task = begin(operation, io);
    try {
      return task.await(limits.deadlineNanos());
    } finally {
      task.skip(new SsdUnavailableException("nobody waits for it"));
    }
  }

  /** Something that is done once, for all who wait for it. Is run or skipped, and not both. */
  public final class Task<T> implements Runnable {
    private final Operation operation;
    private final Io<T> io;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    /** When it was asked for, in running time. */
    private volatile long asked;
    /** When a thread began with it, in running time; until then never. */
    private volatile long begin = Long.MAX_VALUE;

    private Task(Operation operation, Io<T> io) {
      this.operation = operation;
      this.io = io;
    }

    /** Begins. Called once. Whatever keeps it from being done, whoever waits is told. */
    public void begin() {
      asked = time.nanos();
      tasks.add(this);
      try {
        // Asked after the entry was made: who makes the SSD go down sees the entry.
        if (health.mayRead()) {
          threads.execute(this);
        } else {
          skip(unavailable());
        }
      } catch (RejectedExecutionException e) {
        skip(new SsdUnavailableException("closed"));
      } catch (RuntimeException | Error e) {
        // No thread can be started.
        skip(e);
      }
    }

    /**
     * Waits. When the SSD goes down meanwhile, that ends the wait. The SSD is down if it has held a
     * thread until the deadline; it is not if all threads are busy with what others have asked for.
     *
     * @param nanos no longer than this
     * @throws SsdUnavailableException if the SSD is down, or goes down meanwhile
     * @throws SsdTimeoutException if that was not long enough
     * @throws IOException if the operation fails
     */
    public T await(long nanos) throws IOException {
      try {
        return TimeAndThreads.get().get(result, nanos);
      } catch (TimeoutException e) {
        // It began somewhat later than its reader to wait for it.
        findHung(operation, begin, limits.deadlineNanos() - limits.deadlineNanos() / 10);
        throw new SsdTimeoutException("no answer in " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
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
      begin = time.nanos();
      long lost = time.lost();
      int atOnce = running.incrementAndGet();
      try {
        T value = io.run();
        if (time.lost() == lost) {
          health.readTook(
              begin - asked, time.nanos() - begin, Math.max(atOnce, running.get()));
        }
        result.complete(value);
      } catch (IOException | RuntimeException | Error e) {
        result.completeExceptionally(e);
      } finally {
        running.decrementAndGet();
        tasks.remove(this);
      }
    }

    private void skip(Throwable why) {
      if (taken.compareAndSet(false, true)) {
        result.completeExceptionally(why);
        tasks.remove(this);
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

  /**
   * A client's read has waited for this SSD for so long that it goes on from the replica.
   *
   * @param volumeNanos how long the data volume takes for what such a reader wants, once it has begun
   */
  public void overdrawn(long volumeNanos) {
    health.overdrawn(volumeNanos);
    failWaiting();
  }

  /** Whoever waits for an SSD that is down gives up. */
  public void failWaiting() {
    if (!health.mayRead()) {
      tasks.forEach(task -> task.result.completeExceptionally(unavailable()));
    }
  }

  /** Does something in this thread that may be held by the SSD for a while, under watch. */
  public <T> T watch(Operation operation, Io<T> io) throws IOException {
    Thread thread = Thread.currentThread();
    Watched outer = watched.put(thread, new Watched(operation, time.nanos()));
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

  /**
   * Looks whether an operation hangs. To be called every {@value RunningTime#TICK_MILLIS} ms: when it
   * is not, the process is taken for stopped.
   *
   * @return whether one hangs; the SSD is down then
   */
  public boolean check() {
    time.tick();
    boolean hangs = false;
    for (Task<?> task : tasks) {
      hangs |= findHung(task.operation, task.begin, limits.deadlineNanos());
    }
    for (Watched one : watched.values()) {
      hangs |= findHung(one.operation(), one.since(), limits.writeDeadlineNanos());
    }
    return hangs;
  }

  private boolean findHung(Operation operation, long since, long limit) {
    long nanos = time.nanos() - since;
    if (nanos <= limit) {
      return false;
    }
    health.hung(operation, nanos);
    failWaiting();
    return true;
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
