/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;

import io.hdfslocalcache.time.TimeAndThreads;

/**
 * A machine with one processor, on which a seed says which thread goes on. Time passes only when no
 * thread can go on. So a seed repeats all that happens, and an hour of waiting takes no time.
 *
 * <p>The threads are virtual ones of the JDK, on a scheduler of our own: this needs a JDK of version
 * 24 or later, and {@code --add-opens=java.base/java.lang=ALL-UNNAMED}. Locks, futures and pools are
 * the real ones. The JVM wakes a thread that was blocked on a monitor at a time that no seed knows;
 * so no thread may wait while it holds a monitor, and {@link #run} fails if one has.
 */
final class World extends TimeAndThreads implements Executor {

  /** Interval for polling conditions that wake no waiter. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MOST_NANOS = TimeUnit.HOURS.toNanos(2);

  /** Whether to look for threads blocked on a monitor: slow, and only for debugging. */
  private static final boolean LOOKS_FOR_MONITORS = Boolean.getBoolean("simulation.monitors");

  private static final Class<?> VIRTUAL = classOrNull("java.lang.VirtualThread");

  /** Something that is due at a time. */
  private record Timer(long nanos, long number, Runnable task) {
  }

  private final Random random;
  private final CRC32 trace = new CRC32();
  private final List<Runnable> ready = new ArrayList<>();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>(
      Comparator.comparingLong(Timer::nanos).thenComparingLong(Timer::number));
  private final List<Thread> threads = new ArrayList<>();
  private final Constructor<?> builder;
  private Thread processor;
  private boolean isDisturbed;
  private long now;
  /** When the host's clock began to stand still; negative: it does not. */
  private long held = -1;
  private long timerNumber;
  private long steps;

  World(long seed) {
    this.random = new Random(seed);
    try {
      builder = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
          .getDeclaredConstructor(Executor.class);
      builder.setAccessible(true);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Class<?> classOrNull(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /**
   * Runs a task on this machine, whose time and threads all code uses meanwhile.
   *
   * @throws AssertionError if it does not end
   */
  <T> T run(Callable<T> task) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    TimeAndThreads before = replace(this);
    processor = Thread.currentThread();
    try {
      newThread("main", () -> {
        try {
          result.complete(task.call());
        } catch (Throwable e) {
          result.completeExceptionally(e);
        }
      }).start();
      while (!result.isDone()) {
        step();
      }
      // For a minute, the JVM would keep a pool's idle thread that cannot end, and all of this
      // machine with it.
      while (canGoOn()) {
        step();
      }
    } finally {
      replace(before);
    }
    if (isDisturbed) {
      throw new AssertionError("somebody waited or touched a file while he held a monitor; to see who"
          + " waits for it: -Dsimulation.monitors=true");
    }
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw (Error) e.getCause();
    }
  }

  private synchronized boolean canGoOn() {
    return !ready.isEmpty();
  }

  private void step() {
    Runnable next = null;
    synchronized (this) {
      if (!ready.isEmpty()) {
        int chosen = random.nextInt(ready.size());
        // The order of the others does not matter: the next one is drawn, too.
        next = ready.get(chosen);
        ready.set(chosen, ready.get(ready.size() - 1));
        ready.remove(ready.size() - 1);
        mark(chosen);
      }
    }
    if (next == null) {
      Timer timer = timers.poll();
      if (timer == null || timer.nanos() > MOST_NANOS) {
        throw new AssertionError((timer == null ? "nobody can go on" : "no end in two hours")
            + stacks());
      }
      now = Math.max(now, timer.nanos());
      next = timer.task();
      mark(timer.number());
    }
    steps++;
    next.run();
    if (LOOKS_FOR_MONITORS) {
      lookForMonitors();
    }
  }

  private void lookForMonitors() {
    threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
    for (Thread thread : threads) {
      if (thread.getState() == Thread.State.BLOCKED) {
        throw new AssertionError("waits for a monitor: " + thread.getName() + stacks());
      }
    }
  }

  private String stacks() {
    StringBuilder all = new StringBuilder();
    for (Thread thread : threads) {
      if (thread.isAlive()) {
        all.append("\n  ").append(thread.getName()).append(' ').append(thread.getState());
        Arrays.stream(thread.getStackTrace()).filter(at -> at.getClassName().contains("hdfslocal"))
            .limit(12).forEach(at -> all.append("\n    ").append(at));
      }
    }
    return all.toString();
  }

  /** @return whether a thread was blocked on a monitor, so that the seed may not repeat it. */
  boolean isDisturbed() {
    return isDisturbed;
  }

  /** Called when a thread can go on, in the thread that lets it. */
  @Override
  public synchronized void execute(Runnable continuation) {
    if (Thread.currentThread() != processor && Thread.currentThread().getClass() != VIRTUAL) {
      isDisturbed = true;
    }
    ready.add(continuation);
  }

  /** Something that a run of the same seed repeats. */
  void mark(String what) {
    trace.update(what.getBytes(StandardCharsets.UTF_8));
  }

  private void mark(long what) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      trace.update((int) (what >>> shift));
    }
  }

  /** @return a number that is the same when a run is repeated. */
  long trace() {
    return trace.getValue();
  }

  /** @return how often a thread went on. */
  long steps() {
    return steps;
  }

  /** @return between 0 and a bound, drawn. */
  int draw(int bound) {
    return random.nextInt(bound);
  }

  /** From now on, the host's clock stands still, and the other one goes on. */
  void holdClock() {
    held = now;
  }

  /** The host's clock is right again. */
  void releaseClock() {
    held = -1;
  }

  private static boolean isInside() {
    return Thread.currentThread().getClass() == VIRTUAL;
  }

  private void at(long nanos, Runnable task) {
    timers.add(new Timer(nanos, timerNumber++, task));
  }

  @Override
  public long nanoTime() {
    return isInside() ? now : super.nanoTime();
  }

  @Override
  public long currentTimeMillis() {
    // An arbitrary day, the same for all.
    return isInside() ? 1_700_000_000_000L + TimeUnit.NANOSECONDS.toMillis(held < 0 ? now : held)
        : super.currentTimeMillis();
  }

  @Override
  public Thread newThread(Runnable task) {
    if (!isInside() && Thread.currentThread() != processor) {
      return super.newThread(task);
    }
    try {
      Object ofVirtual = builder.newInstance(this);
      Method unstarted = Class.forName("java.lang.Thread$Builder")
          .getMethod("unstarted", Runnable.class);
      Thread thread = (Thread) unstarted.invoke(ofVirtual, task);
      threads.add(thread);
      return thread;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    if (!isInside()) {
      super.sleep(nanos);
      return;
    }
    CompletableFuture<Void> end = new CompletableFuture<>();
    at(now + Math.max(0, nanos), () -> end.complete(null));
    try {
      end.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public <T> T get(CompletableFuture<T> result, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!isInside()) {
      return super.get(result, nanos);
    }
    if (!result.isDone() && nanos > 0) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      at(now + nanos, () -> end.complete(null));
      result.whenComplete((value, failure) -> end.complete(null));
      end.get();
    }
    if (!result.isDone()) {
      throw new TimeoutException();
    }
    return result.get();
  }

  @Override
  public <T> T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException {
    if (!isInside()) {
      return super.poll(queue, nanos);
    }
    long end = now + nanos;
    T first = queue.poll();
    while (first == null && now < end) {
      sleep(LOOK_NANOS);
      first = queue.poll();
    }
    return first;
  }

  @Override
  public boolean join(Thread thread, long nanos) throws InterruptedException {
    if (!isInside()) {
      return super.join(thread, nanos);
    }
    long end = now + nanos;
    while (thread.isAlive() && now < end) {
      sleep(LOOK_NANOS);
    }
    return !thread.isAlive();
  }

  @Override
  public boolean awaitTermination(ExecutorService pool, long nanos) throws InterruptedException {
    if (!isInside()) {
      return super.awaitTermination(pool, nanos);
    }
    long end = now + nanos;
    while (!pool.isTerminated() && now < end) {
      sleep(LOOK_NANOS);
    }
    return pool.isTerminated();
  }
}
