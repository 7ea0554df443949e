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

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All I/O on one SSD that may block. A reader never waits for the SSD itself: the SSD's own threads
 * do the I/O, and the reader gives up at its deadline. When an operation has blocked a thread until
 * the deadline, the SSD is down, and all waiting readers give up at once. The number of blocked
 * threads is bounded; they return when the SSD answers.
 */
public final class SsdIo implements Closeable {

  /** An operation on the SSD. */
  public interface Io<T> {
    T run() throws IOException;

    /** @return one without a result. */
    static Io<Void> of(InvocationRaisingIOE operation) {
      return () -> {
        operation.apply();
        return null;
      };
    }

    /** It will not run. @param why the SSD is down or closed, or the process lacks memory or threads */
    default void skipped(Throwable why) {
    }
  }

  /** Tests whether an SSD that is not normal can be used again. */
  public interface Probe {
    /**
     * Tests the SSD.
     *
     * @param nanoClock clock for the measurement
     * @param readsNanos once its reads took so long together, it reads no more
     * @return how long a read took, in nanoseconds
     * @throws IOException if the SSD cannot be used
     */
    long run(LongSupplier nanoClock, long readsNanos) throws IOException;
  }

  /** An operation that may block its thread for a while, such as a write. */
  private record Watched(Operation operation, long since) {
  }

  private static final Logger LOG = LoggerFactory.getLogger(SsdIo.class);
  /** Time between two checks. */
  public static final long TICK_MILLIS = 50;

  private final String name;
  private final HealthLimits limits;
  private final SsdHealth health;
  private final RunningTime time;
  private final ThreadPoolExecutor threads;
  /** Tasks that wait for a thread, and running tasks. */
  private final Set<Task<?>> tasks = ConcurrentHashMap.newKeySet();
  private final Map<Thread, Watched> watched = new ConcurrentHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  /** Whether the last check found an operation that hangs. */
  private volatile boolean hangs;

  /**
   * @param name for the log and the names of the threads
   * @param threads operations at a time
   */
  public SsdIo(String name, int threads, HealthLimits limits, SsdHealth health) {
    this(name, threads, limits, health, TimeAndThreads.get()::nanoTime, TimeAndThreads.get()::newThread);
  }

  /**
   * The same.
   *
   * @param nanoClock a clock that only goes forward, in nanoseconds; not used for readers'
   *     deadlines
   * @param factory creates the threads
   */
  SsdIo(String name, int threads, HealthLimits limits, SsdHealth health, LongSupplier nanoClock,
      ThreadFactory factory) {
    this.name = name;
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

  /**
   * @return a task for a thread of the SSD, which starts with {@link Task#begin}; readers may wait
   *     for it before
   */
  public <T> Task<T> task(Operation operation, Io<T> io) {
    return new Task<>(operation, io);
  }

  /**
   * Starts an operation in a thread of the SSD; anybody may wait for it.
   *
   * @return the task to wait for; already failed if the SSD is down or closed
   */
  public <T> Task<T> begin(Operation operation, Io<T> io) {
    Task<T> task = task(operation, io);
    task.begin();
    return task;
  }

  /** An operation that is done once, for all who wait for it: either run or skipped. */
  public final class Task<T> implements Runnable {
    private final Operation operation;
    private final Io<T> io;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    /** When it was requested, in running time. */
    private volatile long asked;
    /** When a thread began it, in running time; until then never. */
    private volatile long begin = Long.MAX_VALUE;

    private Task(Operation operation, Io<T> io) {
      this.operation = operation;
      this.io = io;
    }

    /** Begins. Called once. If it cannot run, the waiting readers are told. */
    public void begin() {
      try {
        asked = time.nanos();
        tasks.add(this);
        // Checked after the task was added: whoever takes the SSD down sees the task.
        if (health.mayRead()) {
          threads.execute(this);
        } else {
          skip(unavailable());
        }
      } catch (RejectedExecutionException e) {
        skip(new SsdUnavailableException("closed"));
      } catch (RuntimeException | Error e) {
        // There is no memory, or no thread can be started.
        skip(e);
      }
    }

    /**
     * Waits, at most until the SSD goes down. The SSD goes down if it blocked a thread until the
     * deadline, but not if all threads are busy with other operations.
     *
     * @param nanos longest wait
     * @throws SsdUnavailableException if the SSD is down, or goes down meanwhile
     * @throws SsdTimeoutException if the operation took longer
     * @throws IOException if the operation fails
     */
    public T await(long nanos) throws IOException {
      try {
        return TimeAndThreads.get().get(result, nanos);
      } catch (TimeoutException e) {
        // It began somewhat later than its reader began to wait.
        findHung(operation, begin, limits.deadlineNanos() - limits.deadlineNanos() / 10);
        throw new SsdTimeoutException("does not answer for " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
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
        io.skipped(why);
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
   * A client's read has waited so long for this SSD that it continues from the replica.
   *
   * @param volumeNanos how long the data volume takes for such a read, once it has begun
   */
  public void overdrawn(long volumeNanos) {
    health.overdrawn(volumeNanos);
    failWaiting();
  }

  /** Ends all waits for an SSD that is down. */
  public void failWaiting() {
    if (!health.mayRead()) {
      tasks.forEach(task -> task.result.completeExceptionally(unavailable()));
    }
  }

  /** Runs an operation that may block in this thread, and monitors it. */
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
   * Checks whether an operation hangs. To be called every {@value #TICK_MILLIS} ms; if
   * it is not, the process counts as paused.
   *
   * @return whether one hangs; the SSD is down then
   */
  public boolean check() {
    time.tick();
    boolean found = false;
    for (Task<?> task : tasks) {
      found |= findHung(task.operation, task.begin, limits.deadlineNanos());
    }
    for (Watched one : watched.values()) {
      found |= findHung(one.operation(), one.since(), limits.writeDeadlineNanos());
    }
    hangs = found;
    return found;
  }

  /**
   * Probes the SSD in this thread, if that is due. While an operation hangs, a probe cannot prove
   * that the SSD works.
   */
  public void probeIfDue(Probe probe) {
    if (hangs || !health.isProbeDue()) {
      return;
    }
    long begin = time.nanos();
    try {
      long readNanos = probe.run(time::nanos, limits.deadlineNanos() / 10);
      long nanos = time.nanos() - begin;
      if (nanos <= limits.deadlineNanos()) {
        health.probeSucceeded(readNanos);
      } else {
        health.probeFailed("took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
      }
    } catch (IOException | RuntimeException | Error e) {
      if (ErrorCause.of(e).isOfDisk()) {
        health.probeFailed(ErrorText.of(e));
      } else {
        LOG.info("Local cache: could not probe {}: {}", name, ErrorText.of(e));
      }
    }
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

  /** @return threads that are working, or blocked by the SSD. */
  public int activeThreads() {
    return threads.getActiveCount();
  }

  /** Accepts no more operations. Threads that the SSD blocks end when it returns. */
  @Override
  public void close() {
    threads.shutdown();
  }

  /**
   * The time in which this process ran. A process paused by the garbage collector, a signal or its
   * host ticks late; that delay is no SSD's fault and does not count.
   */
  private static final class RunningTime {
    /** A tick may be late by one interval: a busy machine is not a paused one. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * TICK_MILLIS);

    private final LongSupplier nanoClock;
    private long ticked;
    private long ran;
    private long lost;

    /** @param nanoClock a clock that only goes forward, in nanoseconds */
    RunningTime(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
      this.ticked = nanoClock.getAsLong();
    }

    /** The process runs. */
    synchronized void tick() {
      long now = nanoClock.getAsLong();
      long passed = now - ticked;
      ran += Math.min(passed, LONGEST_NANOS);
      lost += Math.max(0, passed - LONGEST_NANOS);
      ticked = now;
    }

    /** @return nanoseconds for which the process ran. */
    synchronized long nanos() {
      return ran + Math.min(sinceTick(), LONGEST_NANOS);
    }

    /** @return nanoseconds for which it did not. */
    synchronized long lost() {
      return lost + Math.max(0, sinceTick() - LONGEST_NANOS);
    }

    private long sinceTick() {
      return nanoClock.getAsLong() - ticked;
    }
  }
}
