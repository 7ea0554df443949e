/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

import io.hdfslocalcache.replay.trace.Trace;

/** Simulates many settings on one trace, some at a time. */
public final class Sweep {

  private final Trace trace;
  private final Disk disk;
  private final int threads;
  private final LongConsumer progress;
  private final Map<Limiter, Admission> admissions = new ConcurrentHashMap<>();
  private PageTrace pages;
  private DiskLoad without;

  /**
   * Makes a sweep.
   *
   * @param trace what was read
   * @param disk the HDDs
   * @param threads how many simulations run at a time; each takes up to 9 bytes of heap for every
   *     page that is read
   * @param progress is told now and then how many reads have been simulated since it was told last
   */
  public Sweep(Trace trace, Disk disk, int threads, LongConsumer progress) {
    this.trace = trace;
    this.disk = disk;
    this.threads = threads;
    this.progress = progress;
  }

  /** @return the results of some settings, in their order. */
  public List<Result> run(List<Setting> settings) throws IOException {
    return run(settings, this::simulate);
  }

  /** @return the clairvoyant bounds of some settings, whose limiter and eviction do not matter. */
  public List<Result> bounds(List<Setting> settings) throws IOException {
    return run(settings, setting ->
        new Clairvoyant(setting, pages, disk).run(without, progress));
  }

  private Result simulate(Setting setting) {
    Gate gate = Admission.isIndependent(setting.limiter())
        ? admissions.computeIfAbsent(
            setting.limiter(), limiter -> Admission.of(limiter, pages)).gate()
        : new LiveGate(setting, pages);
    return new Simulation(setting, pages, gate, disk).run(without, progress);
  }

  /** What becomes of a setting. */
  private interface Work {
    Result of(Setting setting);
  }

  private List<Result> run(List<Setting> settings, Work work) throws IOException {
    Result[] results = new Result[settings.size()];
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      // The reads laid out on pages take the most room: one page size after the other.
      for (int pageSize : pageSizes(settings)) {
        lay(pageSize);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
          int at = i;
          if (settings.get(i).pageSize() == pageSize) {
            tasks.add(() -> {
              results[at] = work.of(settings.get(at));
              return null;
            });
          }
        }
        for (Future<Void> done : pool.invokeAll(tasks)) {
          done.get();
        }
      }
      return List.of(results);
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

  private static TreeSet<Integer> pageSizes(List<Setting> settings) {
    TreeSet<Integer> sizes = new TreeSet<>();
    settings.forEach(setting -> sizes.add(setting.pageSize()));
    return sizes;
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
}
