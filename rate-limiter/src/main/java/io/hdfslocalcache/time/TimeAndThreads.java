/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.time;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The only source of the local cache's clocks, threads and timed waits. Unless
 * {@link #replace replaced}, it uses the JVM's.
 *
 * <p>A test that replaces it decides which thread runs and when time passes, and so can reproduce a
 * run. There is one for the whole process, like the clock and threads of a JVM. Condition: no
 * thread may wait or touch a file while it holds a monitor. Use a
 * {@link java.util.concurrent.locks.ReentrantLock} there.
 */
public class TimeAndThreads {

  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long IDLE_SECONDS = 60;

  private static volatile TimeAndThreads current = new TimeAndThreads();

  /** For tests, which replace this. */
  protected TimeAndThreads() {
  }

  /** @return the one in use. */
  public static TimeAndThreads get() {
    return current;
  }

  /**
   * For tests.
   *
   * @return the previous one
   */
  protected static TimeAndThreads replace(TimeAndThreads now) {
    TimeAndThreads before = current;
    current = now;
    return before;
  }

  /** @return nanoseconds since an arbitrary moment; only goes forward. */
  public long nanoTime() {
    return System.nanoTime();
  }

  /** @return the host's time in milliseconds since 1970; may jump. */
  public long currentTimeMillis() {
    return System.currentTimeMillis();
  }

  /** @return a thread that does not keep the JVM from ending; not started. */
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }

  /** @return the same, with a name. */
  public final Thread newThread(String name, Runnable task) {
    Thread thread = newThread(task);
    thread.setName(name);
    return thread;
  }

  /**
   * @param name prefix of its threads' names, followed by a number
   * @param most maximum number of concurrent tasks
   * @return a pool of threads that end after some idle time
   */
  public final ThreadPoolExecutor newPool(String name, int most) {
    return newPool(name, most, this::newThread);
  }

  /** The same. @param threads creates the threads */
  public final ThreadPoolExecutor newPool(String name, int most, ThreadFactory threads) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), task -> {
          Thread thread = threads.newThread(task);
          thread.setName(name + number.incrementAndGet());
          return thread;
        });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * Repeats a task in its own thread until it is stopped.
   *
   * @param pauseNanos before the first run, and between runs
   * @param task must not throw
   */
  public final Repetition repeat(String name, long pauseNanos, Runnable task) {
    return new Repetition(name, pauseNanos, task);
  }

  /**
   * Runs a task for each element, in a thread for each, and waits for all.
   *
   * @param task must not throw
   */
  public final <T> void forEachAtOnce(Collection<T> all, Consumer<T> task) {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (T one : all) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      ends.add(end);
      try {
        newThread("local-cache-at-once", () -> doOne(task, one, end)).start();
      } catch (OutOfMemoryError e) {
        // No thread can be started: run it in this one.
        doOne(task, one, end);
      }
    }
    ends.forEach(CompletableFuture::join);
  }

  private static <T> void doOne(Consumer<T> task, T one, CompletableFuture<Void> end) {
    try {
      task.accept(one);
    } finally {
      end.complete(null);
    }
  }

  /** @throws InterruptedException if this thread is interrupted meanwhile */
  public void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  /**
   * @return the result, like {@link CompletableFuture#get(long, TimeUnit)}
   * @throws TimeoutException if there is none in this time
   */
  public <T> T get(CompletableFuture<T> result, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    return result.get(nanos, TimeUnit.NANOSECONDS);
  }

  /** @return whether it completes in this time, with a result or not. */
  public final boolean isDoneIn(CompletableFuture<?> end, long nanos) throws InterruptedException {
    try {
      get(end, nanos);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    } catch (OutOfMemoryError e) {
      // Sleeping takes no memory.
      for (long left = nanos; left > 0 && !end.isDone(); left -= STEP_NANOS) {
        sleep(Math.min(left, STEP_NANOS));
      }
      return end.isDone();
    }
  }

  /** @return the first of the queue; null if there is none in this time. */
  public <T> T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException {
    return queue.poll(nanos, TimeUnit.NANOSECONDS);
  }

  /** @return whether the thread has ended in this time. */
  public boolean join(Thread thread, long nanos) throws InterruptedException {
    // A time of 0 would mean for ever.
    TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
    return !thread.isAlive();
  }

  /** @return whether the threads of the pool, which is shut down, have ended in this time. */
  public boolean awaitTermination(ExecutorService pool, long nanos) throws InterruptedException {
    return pool.awaitTermination(nanos, TimeUnit.NANOSECONDS);
  }

  /** A repeated task. */
  public final class Repetition {
    private final CompletableFuture<Void> stop = new CompletableFuture<>();
    private final Thread thread;

    private Repetition(String name, long pauseNanos, Runnable task) {
      this.thread = newThread(name, () -> run(pauseNanos, task));
      thread.start();
    }

    private void run(long pauseNanos, Runnable task) {
      try {
        while (!isDoneIn(stop, pauseNanos)) {
          task.run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** @return whether it has been stopped. */
    public boolean isStopped() {
      return stop.isDone();
    }

    /** Stops the repetition; a running task continues. Returns at once. */
    public void stop() {
      stop.complete(null);
    }

    /** The same, and interrupts a running task. */
    public void stopNow() {
      stop();
      thread.interrupt();
    }

    /** @return whether it ended in this time. */
    public boolean await(long nanos) throws InterruptedException {
      return join(thread, nanos);
    }
  }
}
