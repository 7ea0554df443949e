/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;

import org.jetbrains.lincheck.Lincheck;

/**
 * Runs a few threads in many interleavings of their steps (Lincheck). A step is an access to shared
 * memory, so this finds races that real threads hit once in a million times.
 *
 * <p>The code must use no file, not even {@code Path.equals}, and must not catch {@code Throwable}:
 * Lincheck ends a thread by an {@code Error}.
 */
public final class Interleavings {

  private Interleavings() {
  }

  /**
   * Runs a scenario in many interleavings.
   *
   * @param most maximum number of interleavings; 1,000 take a few seconds
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
    // Lincheck prints a thread's exception, and continues.
    assertEquals("threads that did not fail", tasks.length, ended.get());
  }
}
