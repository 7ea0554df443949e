/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.bench.e2e.BenchException;

/** Notes what is counted while something else runs: at its beginning, and again and again. */
final class CountsLog implements AutoCloseable {

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final List<ScheduledFuture<Counts>> noted = new ArrayList<>();
  private final Counts first;
  private final Callable<Counts> counter;

  /**
   * Begins now.
   *
   * @param counter says what is counted at the moment
   * @param step seconds from one note to the next
   * @param steps number of steps
   */
  CountsLog(Callable<Counts> counter, long step, int steps) throws InterruptedException {
    this.counter = counter;
    this.first = call();
    for (int i = 1; i < steps; i++) {
      noted.add(thread.schedule(counter, i * step, TimeUnit.SECONDS));
    }
  }

  private Counts call() throws InterruptedException {
    try {
      return counter.call();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw failure(e);
    }
  }

  private static BenchException failure(Throwable cause) {
    return new BenchException("the counters cannot be read: " + cause.getMessage());
  }

  /** Ends with what is counted now. @return all notes, one more than there are steps. */
  List<Counts> end() throws InterruptedException {
    List<Counts> all = new ArrayList<>(List.of(first));
    try {
      for (ScheduledFuture<Counts> note : noted) {
        all.add(note.get());
      }
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
    all.add(call());
    return all;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
