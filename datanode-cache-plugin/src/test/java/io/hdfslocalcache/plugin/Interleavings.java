/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;

import org.jetbrains.lincheck.Lincheck;

/**
 * Runs a few threads in one order of their steps after another (Lincheck). A step is an access to
 * memory that threads share, so this finds what real threads meet once in a million times.
 *
 * <p>The code must use no file, not even {@code Path.equals}, and must not catch {@code Throwable}:
 * Lincheck ends a thread by an {@code Error}.
 */
public final class Interleavings {

  private Interleavings() {
  }

  /**
   * Runs a scenario again and again, in other orders.
   *
   * @param most number of orders, if there are so many; 1,000 take a few seconds
   * @param scenario makes what the threads share, runs them {@link #together}, and asserts
   */
  public static void check(int most, Runnable scenario) {
    Lincheck.runConcurrentTest(most, scenario);
  }

  /** Runs each of these in a thread of its own, and fails if one of them fails. */
  public static void together(Runnable... tasks) {
    AtomicInteger ended = new AtomicInteger();
    Thread[] threads = new Thread[tasks.length];
    for (int i = 0; i < tasks.length; i++) {
      Runnable task = tasks[i];
      threads[i] = new Thread(() -> {
        task.run();
        ended.incrementAndGet();
      });
      threads[i].start();
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    // Lincheck prints what a thread throws, and goes on.
    assertEquals("threads that did not fail", tasks.length, ended.get());
  }
}
