/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs the same work in several threads that start together. */
final class Threads {

  /** What one thread does. */
  interface Work {
    void run(int thread) throws Exception;
  }

  private Threads() {
  }

  /** @return when all threads are done; fails when one failed. */
  static void run(int threads, Work work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CyclicBarrier start = new CyclicBarrier(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(executor.submit(() -> {
          start.await(1, TimeUnit.MINUTES);
          work.run(thread);
          return null;
        }));
      }
      for (Future<?> one : running) {
        one.get(5, TimeUnit.MINUTES);
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
