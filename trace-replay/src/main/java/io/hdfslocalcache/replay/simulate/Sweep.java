/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.trace.Trace;

/** Simulates many settings on one trace, some concurrently. */
public final class Sweep {

  private final Trace trace;
  private final Disk disk;
  private final int threads;
  private final Runnable done;
  private PageTrace pages;
  private DiskLoad without;

  /**
   * Creates a sweep.
   *
   * @param trace the trace
   * @param disk the HDDs
   * @param threads number of concurrent simulations; each takes up to 5 bytes of heap per page
   *     read, about 50 per page on its SSD, and its limiter's heap
   * @param done is run after each simulation, by its thread
   */
  public Sweep(Trace trace, Disk disk, int threads, Runnable done) {
    this.trace = trace;
    this.disk = disk;
    this.threads = threads;
    this.done = done;
  }

  /** @return the results of some settings, in order. */
  public List<Result> run(List<Setting> settings) throws IOException {
    return run(settings, setting -> new DemandFilled(setting, pages, disk));
  }

  /** @return the clairvoyant bounds of some settings, whose limiter does not matter. */
  public List<Result> bounds(List<Setting> settings) throws IOException {
    return run(settings, setting -> new Clairvoyant(setting, pages, disk));
  }

  /** @return the best possible with the budgets of some settings. */
  public List<Result> mostPossible(List<Setting> settings) throws IOException {
    return run(settings, setting -> new EqualWrites(setting, pages, disk));
  }

  private List<Result> run(List<Setting> settings, Function<Setting, Simulation> simulation)
      throws IOException {
    Map<Setting, Result> results = new ConcurrentHashMap<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      // The reads mapped to pages take the most heap, so do one page size after the other.
      for (int pageSize : settings.stream().map(Setting::pageSize)
          .collect(Collectors.toCollection(TreeSet::new))) {
        lay(pageSize);
        List<Callable<Result>> tasks = settings.stream()
            .filter(setting -> setting.pageSize() == pageSize)
            .<Callable<Result>>map(setting -> () -> {
              results.put(setting, simulation.apply(setting).run(without));
              done.run();
              return null;
            }).toList();
        for (Future<Result> task : pool.invokeAll(tasks)) {
          task.get();
        }
      }
      return settings.stream().map(results::get).toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException wrong) {
        throw wrong;
      }
      throw new IOException(tooLittleHeap(e.getCause()), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static String tooLittleHeap(Throwable cause) {
    return cause instanceof OutOfMemoryError
        ? "not enough heap; use fewer --threads or give java more, such as -Xmx8g" : "" + cause;
  }

  private void lay(int pageSize) throws IOException {
    if (pages == null || pages.pageSize() != pageSize) {
      pages = null;
      pages = PageTrace.of(trace, pageSize);
      if (without == null) {
        without = DiskLoad.withoutLocalCache(pages, disk);
      }
    }
  }

  /**
   * A setting to simulate.
   *
   * @param limiter the rate limiter
   * @param pageSize bytes of data in a page
   * @param capacity bytes that pages may take on the SSD
   */
  public record Setting(Limiter limiter, int pageSize, long capacity) {

    /** @return number of whole pages that fit. @throws IllegalArgumentException if none does */
    int capacityPages(PageTrace trace) {
      long pages = capacity / trace.fullPageSpace();
      if (pages < 1) {
        throw new IllegalArgumentException("no page of " + pageSize + " bytes fits in " + capacity
            + " bytes");
      }
      return (int) Math.min(Integer.MAX_VALUE, pages);
    }
  }
}
