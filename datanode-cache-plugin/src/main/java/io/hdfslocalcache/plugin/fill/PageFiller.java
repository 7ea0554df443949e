/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/** Reads pages from a replica in the background, and passes them on for writing to the SSD. */
public final class PageFiller {

  /**
   * Weight of a byte that no operator requested. It is in memory, so filling it soon relieves no
   * disk, but its reader may need the CPU.
   */
  private static final int UNORDERED_BYTE = 4;
  /** Time to save the balance of the write budget before an operator's fill is given up. */
  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  /** Time in which fills catch up with their rate. */
  private static final long PACE_MILLIS = 100;
  /** As many as a command may name at a time. */
  private static final int MOST_UNREADABLE = 1000;

  private final int pageSize;
  private final ReplicaAccess replicas;
  private final BlockIndex index;
  private final LocalCacheMetrics metrics;
  private final BufferPool buffers;
  private final Admission admission;
  private final LongConsumer pace;
  private final PageWriter writer;
  private final FillFailures failures;
  /** Why a replica could not be read for an operator's last fill; the oldest are forgotten. */
  private final Map<ReplicaSnapshot, String> unreadable =
      Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ReplicaSnapshot, String> eldest) {
          return size() > MOST_UNREADABLE;
        }
      });
  /** Bytes that are being read for operators, and are not queued for writing yet. */
  private long reading;

  /**
   * @param pageSize bytes of block data in a page
   * @param pace waits until so many bytes may be copied to all SSDs together, or until an interrupt
   */
  public PageFiller(int pageSize, ReplicaAccess replicas, BlockIndex index,
      LocalCacheMetrics metrics, BufferPool buffers, Admission admission, LongConsumer pace,
      PageWriter writer) {
    this.pageSize = pageSize;
    this.replicas = replicas;
    this.index = index;
    this.metrics = metrics;
    this.buffers = buffers;
    this.admission = admission;
    this.pace = pace;
    this.writer = writer;
    this.failures = new FillFailures(replicas, metrics);
  }

  /** @return the throttle of fills; a rate of 0 is no limit. */
  public static LongConsumer pace(long bytesPerSecond) {
    return bytesPerSecond == 0 ? bytes -> { }
        : new DataTransferThrottler(PACE_MILLIS, bytesPerSecond)::throttle;
  }

  /** Fills the missing parts of a request. Errors are counted, never thrown. */
  public void fill(FillRequest request) {
    try {
      fillMissing(request);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.FILL_READ, e);
      keep(request, e);
    }
  }

  private void failed(FillRequest request, IOException error) {
    failures.failed(request.snapshot(), error);
    keep(request, error);
  }

  private void keep(FillRequest request, Throwable error) {
    if (request.isOrder()) {
      unreadable.putIfAbsent(request.snapshot(), ErrorText.of(error));
    }
  }

  /** @return why a replica could not be read for an operator's last fill; empty if it could. */
  public String unreadable(ReplicaSnapshot snapshot) {
    return unreadable.getOrDefault(snapshot, "");
  }

  /** An operator orders the block again. */
  public void forgetUnreadable(ReplicaSnapshot snapshot) {
    unreadable.remove(snapshot);
  }

  private void fillMissing(FillRequest request) {
    try {
      if (admission.mayFill(request.snapshot().key())) {
        enterAndFill(request);
      }
    } catch (IOException e) {
      failed(request, e);
    }
  }

  private void enterAndFill(FillRequest request) throws IOException {
    CachedBlock block = enter(request);
    if (block == null) {
      return;
    }
    try {
      fillPages(request, block);
    } finally {
      block.removeReader();
    }
  }

  /** A proven block's replica is opened only for a page that is missing: it costs its disk a seek. */
  private CachedBlock enter(FillRequest request) throws IOException {
    CachedBlock block = index.find(request.snapshot());
    if (block != null && block.isProven() && block.addReader()) {
      return block;
    }
    try (ReplicaFiles files = replicas.open(request.snapshot())) {
      return admission.enter(request.snapshot(), files, pageSize);
    }
  }

  /** Between two pages, nothing of the data volume is open: its removal waits for no pause. */
  private void fillPages(FillRequest request, CachedBlock block) throws IOException {
    SsdDirectory directory = SsdDirectory.of(block);
    if (directory == null) {
      return;
    }
    int end = request.endPage(block.layout());
    for (int page = request.firstPage(block.layout()); page < end; page++) {
      int missing = request.missing(block, block.layout(), page);
      if (missing == 0 || !request.isOrder() && !isWanted(request, page)) {
        continue;
      }
      int bytes = block.layout().dataLength(page, missing);
      awaitPace(request.isOrder() ? bytes : (long) bytes * UNORDERED_BYTE);
      if (!directory.hasRoom()) {
        metrics.add(Event.FILLS_DROPPED_NOT_PUBLISHED, end - page);
        return;
      }
      if (!isToBeFilled(block)) {
        return;
      }
      if (!request.isOrder()) {
        fillPage(request, block, page);
      } else if (!fillOrdered(request, block, page, directory)) {
        return;
      }
    }
  }

  /** Without room or budget, the disk would read a page in vain. @return false if it was not read */
  private boolean fillOrdered(FillRequest request, CachedBlock block, int page,
      SsdDirectory directory) throws IOException {
    if (!awaitRoom(directory, block) || !awaitBudget()) {
      return false;
    }
    try {
      fillPage(request, block, page);
    } finally {
      endReading();
    }
    return true;
  }

  private boolean isToBeFilled(CachedBlock block) {
    return !block.isDead() && admission.mayFill(block.snapshot().key())
        && !Thread.currentThread().isInterrupted();
  }

  /** An operator's fill is not dropped when the SSD's write queue is full. */
  private boolean awaitRoom(SsdDirectory directory, CachedBlock block) {
    while (!directory.writes().hasRoom(2 * pageSize)) {
      if (!isToBeFilled(block) || !sleep()) {
        return false;
      }
    }
    return true;
  }

  private static boolean sleep() {
    try {
      TimeAndThreads.get().sleep(STEP_NANOS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void awaitPace(long bytes) {
    long begin = TimeAndThreads.get().nanoTime();
    pace.accept(bytes);
    metrics.add(Event.FILL_WAIT_MILLIS,
        TimeUnit.NANOSECONDS.toMillis(TimeAndThreads.get().nanoTime() - begin));
  }

  /** Bytes that readers got may have left memory, and are not worth a busy disk's time. */
  private boolean isWanted(FillRequest request, int page) {
    return !request.volume().isBusy()
        && admission.admits(request.snapshot().key(), request.rule(), page);
  }

  /** An operator's fill needs no heat, but write budget, whose balance is saved now and then. */
  private boolean awaitBudget() {
    long end = TimeAndThreads.get().nanoTime() + BUDGET_NANOS;
    while (!beginReading()) {
      if (TimeAndThreads.get().nanoTime() > end || !sleep()) {
        return false;
      }
    }
    return true;
  }

  /** The pages of several volumes must not count on the same bytes of the budget. */
  private synchronized boolean beginReading() {
    boolean mayRead = admission.mayRead(reading);
    reading += mayRead ? pageSize : 0;
    return mayRead;
  }

  private synchronized void endReading() {
    reading -= pageSize;
  }

  private void fillPage(FillRequest request, CachedBlock block, int page) throws IOException {
    int missing = request.missing(block, block.layout(), page);
    if (missing == 0) {
      return;
    }
    PageSlice slice = PageSlice.ofParts(block.layout(), page,
        Integer.numberOfTrailingZeros(missing),
        Integer.SIZE - 1 - Integer.numberOfLeadingZeros(missing));
    BufferPool.Buffer buffer = buffers.take(slice.bufferLength());
    if (buffer == null) {
      metrics.count(Event.FILLS_DROPPED_NO_BUFFER);
      return;
    }
    boolean isPassedOn = false;
    try {
      try (ReplicaFiles files = replicas.open(request.snapshot())) {
        request.volume().read(block, slice, buffer.bytes(), files, false);
      }
      slice.verify(
          buffer.bytes(), slice.parts(), block.snapshot(), block.fileId());
      Runnable end = buffer::close;
      isPassedOn = true;
      writer.writeSoon(block, slice, buffer.bytes(), request.rule(), request.isOrder(), end);
    } catch (DamagedPageException e) {
      failed(request, e);
    } finally {
      if (!isPassedOn) {
        buffer.close();
      }
    }
  }
}
