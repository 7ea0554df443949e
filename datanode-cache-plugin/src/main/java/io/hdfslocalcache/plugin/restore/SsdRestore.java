/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.RestoredPages;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.file.PageOrigin;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the pages of one SSD.
 *
 * <p>A change of the replica meanwhile must not leave a page that nobody will ever remove: a block
 * is entered into the index as described in {@link Admission}, as for fills.
 */
final class SsdRestore {

  private static final Logger LOG = LoggerFactory.getLogger(SsdRestore.class);
  /** How often a block's entry may die, for other reasons than a change of the replica. */
  private static final int ENTRY_ATTEMPTS = 5;
  private static final long DOWN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  /** So few errors do not take the SSD down. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final SsdDirectory ssd;
  private final RestoredPages pages;
  private final Admission admission;
  private final LocalCacheMetrics metrics;
  private final BiFunction<StoredPage, PageEvictor.Owner, PageEvictor.Owner> ownerOf;
  private final Restorer.MemoryMover memory;
  private final BlockPools pools;
  /** Blocks whose pool is not ready, by pool. */
  private final Map<String, List<String>> waiting = new LinkedHashMap<>();
  private final Map<Event, Integer> counts = new EnumMap<>(Event.class);
  private final long begin = TimeAndThreads.get().nanoTime();
  private int changesSeen;
  private int restoredBlocks;
  private volatile boolean stopped;
  private volatile long listed;
  private volatile long read;
  private volatile long nanos = -1;

  /** Starts with {@link #run}. */
  SsdRestore(SsdDirectory ssd, Admission admission, LocalCacheMetrics metrics,
      BiFunction<StoredPage, PageEvictor.Owner, PageEvictor.Owner> ownerOf,
      Restorer.MemoryMover memory, BlockPools pools) {
    this.ssd = ssd;
    this.pages = ssd.restored();
    this.admission = admission;
    this.metrics = metrics;
    this.ownerOf = ownerOf;
    this.memory = memory;
    this.pools = pools;
  }

  /** @return whether all is done. */
  boolean isDone() {
    return nanos >= 0;
  }

  /** @return number of blocks on the SSD; 0 until they are known. */
  long listed() {
    return listed;
  }

  /** @return of these, the number whose files were looked at. */
  long read() {
    return read;
  }

  /** @return whether the SSD answers, as far as known. */
  boolean isReadable() {
    return ssd.mayRead();
  }

  /** @return milliseconds that it took, or has taken so far. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(isDone() ? nanos : TimeAndThreads.get().nanoTime() - begin);
  }

  /** Stops, because a new restore begins. */
  void stop() {
    stopped = true;
    pools.wake();
  }

  private boolean isStopped() {
    return stopped || pools.isClosed();
  }

  /** Restores. @param before the thread of an earlier, stopped restore, or null */
  void run(Thread before) {
    try {
      if (before != null) {
        before.join();
      }
      // A file may be a page until all are restored: none is deleted as unknown before.
      while (!isStopped() && !isRestored()) {
        pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      nanos = TimeAndThreads.get().nanoTime() - begin;
      summarize();
    }
    moveIntoMemory();
  }

  /** @return whether it need not begin again. */
  private boolean isRestored() throws InterruptedException {
    try {
      waiting.clear();
      restoredBlocks = 0;
      adoptAll();
      while (!waiting.isEmpty() && !isStopped()) {
        int seen = pools.changes();
        judgeWaiting();
        if (!waiting.isEmpty() && !isStopped()) {
          pools.awaitChange(seen);
        }
      }
      return true;
    } catch (IOException | RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  private void pause() throws InterruptedException {
    long until = TimeAndThreads.get().nanoTime() + AGAIN_NANOS;
    while (!isStopped() && TimeAndThreads.get().nanoTime() - until < 0) {
      TimeAndThreads.get().sleep(DOWN_NANOS);
    }
  }

  /** One page at a time: readers come first, and move pages in themselves. */
  private void moveIntoMemory() {
    pages.wereInMemory().forEach((block, numbers) -> numbers.forEach(page -> {
      if (!isStopped() && awaitReadable()) {
        guarded(block, () -> memory.moveIn(ssd, block, page));
      }
    }));
    if (!isStopped()) {
      pages.areInMemoryAgain();
    }
  }

  private void adoptAll() throws IOException {
    if (!awaitReadable()) {
      return;
    }
    List<String> blocks = pages.begin(this::count);
    listed = blocks.size();
    long number = 0;
    for (String block : blocks) {
      read = number++;
      if (!awaitReadable()) {
        return;
      }
      guarded(block, () -> watched(SsdIo.Io.of(() -> pages.adopt(block, this::count))));
      judgeOrWait(block);
      if (pools.changes() != changesSeen) {
        judgeWaiting();
      }
    }
    read = number;
    pages.end();
  }

  /** Waits until an SSD that is down works again. @return false if closed */
  private boolean awaitReadable() {
    while (!ssd.mayRead() && !isStopped()) {
      try {
        TimeAndThreads.get().sleep(DOWN_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return !isStopped();
  }

  /** Only its own I/O says something about the SSD: a step also waits for the dataset. */
  private <T> T watched(SsdIo.Io<T> io) throws IOException {
    return ssd.io().watch(Operation.RESTORE, io);
  }

  /**
   * A block that cannot be read must not stop the restore of others.
   *
   * @return whether it could be read
   */
  private boolean guarded(String block, InvocationRaisingIOE step) {
    try {
      step.apply();
      return true;
    } catch (IOException | RuntimeException | Error e) {
      if (!isStopped()) {
        failed(e);
        LOG.debug("Local cache: {} is not restored", block, e);
      }
      return false;
    }
  }

  private void failed(Throwable error) {
    metrics.error(Operation.RESTORE, ssd.path(), error);
    ssd.io().health().failed(Operation.RESTORE, error);
  }

  private void judgeOrWait(String block) {
    String pool = ReplicaIdentity.blockOf(block).blockPoolId();
    BlockPools.Verdict verdict = pools.verdict(pool);
    if (verdict == BlockPools.Verdict.WAIT) {
      waiting.computeIfAbsent(pool, name -> new ArrayList<>()).add(block);
    } else {
      judge(block, verdict);
    }
  }

  /** Restores or drops the waiting blocks whose pool became ready or is known to be gone. */
  private void judgeWaiting() {
    changesSeen = pools.changes();
    Iterator<Map.Entry<String, List<String>>> entries = waiting.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, List<String>> entry = entries.next();
      BlockPools.Verdict verdict = pools.verdict(entry.getKey());
      if (verdict != BlockPools.Verdict.WAIT) {
        if (verdict == BlockPools.Verdict.DROP) {
          LOG.info("Local cache: dropping {} blocks in {}: this DataNode does not serve {}",
              entry.getValue().size(), ssd.path(), entry.getKey());
        }
        entry.getValue().forEach(block -> judge(block, verdict));
        entries.remove();
      }
    }
  }

  private void judge(String block, BlockPools.Verdict verdict) {
    if (!awaitReadable()) {
      return;
    }
    boolean isJudged = guarded(block, () -> {
      if (verdict == BlockPools.Verdict.DROP) {
        drop(block);
      } else {
        restore(block);
      }
    });
    if (!isJudged) {
      // Pages without an entry would not be removed when their replica is deleted.
      guarded(block, () -> drop(block));
    }
  }

  private void restore(String fileId) throws IOException {
    PageOrigin origin = watched(() -> pages.identify(fileId, this::count));
    if (origin == null) {
      return;
    }
    for (int attempt = 0; attempt < ENTRY_ATTEMPTS; attempt++) {
      CachedBlock block = admission.enterRestored(
          origin.snapshot(), origin.layout(), fileId, ssd);
      if (block == null) {
        break;
      }
      try {
        if (block.ssd() != ssd || !block.fileId().equals(fileId)) {
          // Filled on another SSD or from another replica meanwhile: these pages would never be
          // read.
          break;
        }
        if (isLinked(block)) {
          return;
        }
      } finally {
        block.removeReader();
      }
    }
    drop(fileId);
  }

  private boolean isLinked(CachedBlock block) {
    block.adding().lock();
    try {
      if (block.isDead()) {
        return false;
      }
      pages.link(block, this::count);
      ssd.pages().assignOwners(block.cachedPages(), ownerOf);
      restoredBlocks++;
      return true;
    } finally {
      block.adding().unlock();
    }
  }

  /** These pages cannot be found. They are removed unless the DataNode is shutting down. */
  private void drop(String fileId) {
    if (!isStopped()) {
      count(Event.RESTORE_DROPPED_STALE, ssd.pages().removeUnknown(fileId));
    }
  }

  private void count(Event event, int n) {
    metrics.add(event, n);
    counts.merge(event, n, Integer::sum);
  }

  private void summarize() {
    if (!counts.isEmpty()) {
      LOG.info("Local cache: {} {} blocks with {} pages in {} after {} ms; dropped: {} no "
          + "longer valid, {} damaged, {} without room, {} foreign files",
          waiting.isEmpty() ? "restored" : "stopped restoring after", restoredBlocks,
          counts.getOrDefault(Event.RESTORED_PAGES, 0), ssd.path(), millis(),
          counts.getOrDefault(Event.RESTORE_DROPPED_STALE, 0),
          counts.getOrDefault(Event.RESTORE_DROPPED_DAMAGED, 0),
          counts.getOrDefault(Event.RESTORE_DROPPED_NO_ROOM, 0),
          counts.getOrDefault(Event.RESTORE_DROPPED_FOREIGN, 0));
    }
  }
}
