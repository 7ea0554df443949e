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
 * The one place from which the local cache gets its clocks and threads, and in which it waits for a
 * time. As long as nobody {@link #replace replaces} it, this is what the JVM gives.
 *
 * <p>A test that replaces it decides which thread goes on and when time passes, and so can repeat
 * what has happened. It is one for the whole process, as the clock and the threads of a JVM are.
 * The condition: nobody waits, and nobody touches a file, while he holds a monitor. Whoever has to
 * do so takes a {@link java.util.concurrent.locks.ReentrantLock}.
 */
public class TimeAndThreads {

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
   * @return what was in use before
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

  /** @return the time of the host, in milliseconds since 1970; may jump. */
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
   * @param name of its threads; a number is put behind it
   * @param most tasks that are done at a time
   * @return a pool of threads that end when they have had nothing to do for a while
   */
  public final ThreadPoolExecutor newPool(String name, int most) {
    return newPool(name, most, this::newThread);
  }

  /** The same. @param threads makes the threads */
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
   * Does something again and again, in a thread of its own, until it is stopped.
   *
   * @param pauseNanos before the first time, and between the end of one and the next
   * @param task must not throw
   */
  public final Repetition repeat(String name, long pauseNanos, Runnable task) {
    return new Repetition(name, pauseNanos, task);
  }

  /**
   * Does something for each of some, in a thread for each, and waits until all is done.
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
        // No thread can be started: one after the other, then.
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

  /** @throws InterruptedException if this thread is interrupted before the time is over */
  public void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  /**
   * @return the result, as {@link CompletableFuture#get(long, TimeUnit)} does
   * @throws TimeoutException if there is none in this time
   */
  public <T> T get(CompletableFuture<T> result, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    return result.get(nanos, TimeUnit.NANOSECONDS);
  }

  /** @return whether that is done in this time, however it ends. */
  public final boolean isDoneIn(CompletableFuture<?> end, long nanos) throws InterruptedException {
    try {
      get(end, nanos);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  /** @return the first of the queue; null if there is none in this time. */
  public <T> T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException {
    return queue.poll(nanos, TimeUnit.NANOSECONDS);
  }

  /** @return whether the thread has ended in this time. */
  public boolean join(Thread thread, long nanos) throws InterruptedException {
    // A time of 0 would be for ever.
    TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
    return !thread.isAlive();
  }

  /** @return whether the threads of the pool, which is shut down, have ended in this time. */
  public boolean awaitTermination(ExecutorService pool, long nanos) throws InterruptedException {
    return pool.awaitTermination(nanos, TimeUnit.NANOSECONDS);
  }

  /** Something that is done again and again. */
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

    /** Is not done again; what is being done goes on. Returns at once. */
    public void stop() {
      stop.complete(null);
    }

    /** The same, and interrupts what is being done. */
    public void stopNow() {
      stop();
      thread.interrupt();
    }

    /** @return whether it has come to an end in this time. */
    public boolean await(long nanos) throws InterruptedException {
      return join(thread, nanos);
    }
  }
}
