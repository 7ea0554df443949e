/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Restores the pages of all SSDs, each in its own thread, while the local cache is in use.
 *
 * <p>Pages of a block pool are restored when all its replicas are in the DataNode's replica map.
 * Until then they take space and can be evicted, but are not found. When the pools of all the
 * DataNode's name services are known, pages of other pools are dropped; until then, they wait.
 */
public final class Restorer implements Closeable {

  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CLOSE_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Moves pages into memory. */
  @FunctionalInterface
  public interface MemoryMover {

    /**
     * Moves a page into memory, if it is on the SSD and there is room. Called by a thread of the
     * SSD.
     *
     * @param fileId the name of its block
     * @throws IOException if the SSD fails
     */
    void moveIn(SsdDirectory ssd, String fileId, int page) throws IOException;
  }

  private record Running(SsdDirectory ssd, SsdRestore restore, Thread thread) {
  }

  private final Admission admission;
  private final LocalCacheMetrics metrics;
  private final BiFunction<StoredPage, PageEvictor.Owner, PageEvictor.Owner> ownerOf;
  private final MemoryMover memory;
  private final BlockPools pools = new BlockPools();
  /** The last restore of each SSD. */
  private final List<Running> all = new CopyOnWriteArrayList<>();

  /**
   * Restores nothing yet.
   *
   * @param admission decides on each restored block
   * @param ownerOf given a page and its previous owner, returns the one by the rules in force
   * @param memory gets the pages that were in memory before the restart
   */
  public Restorer(Admission admission, LocalCacheMetrics metrics,
      BiFunction<StoredPage, PageEvictor.Owner, PageEvictor.Owner> ownerOf, MemoryMover memory) {
    this.admission = admission;
    this.metrics = metrics;
    this.ownerOf = ownerOf;
    this.memory = memory;
  }

  /**
   * Begins to restore an SSD's pages. Restarts a running restore, because the directory was missing
   * meanwhile.
   */
  public synchronized void restore(SsdDirectory ssd) {
    Running before =
        all.stream().filter(running -> running.ssd() == ssd).findFirst().orElse(null);
    SsdRestore restore = new SsdRestore(ssd, admission, metrics, ownerOf, memory, pools);
    Thread thread = TimeAndThreads.get().newThread(() -> {
      if (before != null) {
        before.restore().stop();
      }
      restore.run(before == null ? null : before.thread());
    });
    thread.setName("local-cache-restore-" + ssd.path());
    thread.start();
    all.remove(before);
    all.add(new Running(ssd, restore, thread));
  }

  /** An SSD is no longer used: stops, and waits for the thread for a while. */
  public void forget(SsdDirectory ssd) {
    for (Running running : all) {
      // Only one of several concurrent callers removes it.
      if (running.ssd() == ssd && all.remove(running)) {
        running.restore().stop();
        awaitEnd(running, TimeAndThreads.get().nanoTime() + CLOSE_NANOS);
      }
    }
  }

  /**
   * All replicas of a block pool are in the replica map.
   *
   * @param nameServices returns the number of name services that the DataNode serves at the moment
   */
  public void blockPoolReady(String blockPoolId, IntSupplier nameServices) {
    pools.ready(blockPoolId, nameServices);
  }

  /** The DataNode no longer serves a block pool. */
  public void blockPoolRemoved(String blockPoolId) {
    pools.removed(blockPoolId);
  }

  /** @return whether an SSD has pages that are not restored yet. */
  public boolean isInProgress() {
    return !all.stream().allMatch(running -> running.restore().isDone());
  }

  /** @return whether a block pool is not loaded, but may be soon. */
  public boolean isAwaited(String blockPoolId) {
    return pools.isAwaited(blockPoolId);
  }

  /** @return the progress, such as {@code 34 % (8 s)}; empty if all is done. */
  public String progress() {
    if (!isInProgress()) {
      // Without pages, there is nothing to restore, but neither is there a block to read.
      return pools.isAnyReady() ? "" : "waiting for the block pools";
    }
    long listed = all.stream().mapToLong(running -> running.restore().listed()).sum();
    long read = all.stream().mapToLong(running -> running.restore().read()).sum();
    return (listed == 0 || read < listed ? (listed == 0 ? 0 : 100 * read / listed) + " %"
        : "waiting for the block pools") + " (" + millis() / 1000 + " s)";
  }

  /** @return milliseconds that the slowest SSD took, or has taken so far. */
  public long millis() {
    return all.stream().mapToLong(running -> running.restore().millis()).max().orElse(0);
  }

  /** Stops restoring and dropping: block pools are being closed. Returns at once. */
  public void stop() {
    pools.close();
  }

  /** Stops, and waits for the threads for a while; not for one whose SSD does not answer. */
  @Override
  public void close() {
    stop();
    long deadline = TimeAndThreads.get().nanoTime() + CLOSE_NANOS;
    all.forEach(running -> awaitEnd(running, deadline));
  }

  private static void awaitEnd(Running running, long deadline) {
    try {
      // Not interrupted: it checks whether to stop after each block.
      boolean isOver;
      do {
        isOver = TimeAndThreads.get().join(running.thread(), CLOSE_STEP_NANOS);
      } while (!isOver && running.restore().isReadable()
          && TimeAndThreads.get().nanoTime() < deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
