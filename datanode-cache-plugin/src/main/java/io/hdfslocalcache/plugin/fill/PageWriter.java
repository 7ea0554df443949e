/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.Rules;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.SsdPages;
import io.hdfslocalcache.plugin.ssd.WriteQueue;

/** Writes verified parts of pages to their SSD, in threads of the SSD, and publishes them. */
public final class PageWriter {

  private final Admission admission;
  private final Rules rules;
  private final LocalCacheMetrics metrics;

  /** @param rules rules whose quotas apply */
  public PageWriter(Admission admission, Rules rules, LocalCacheMetrics metrics) {
    this.admission = admission;
    this.rules = rules;
    this.metrics = metrics;
  }

  /**
   * Queues parts for writing. Returns at once. Parts that do not fit into the SSD's queue are
   * dropped.
   *
   * @param slice whole parts of a page
   * @param buffer of the slice, verified
   * @param rule whose page it is; null: nobody's
   * @param isOrder whether an operator wants it; if not, a reader has missed it
   * @param end called once, when the buffer is no longer needed, also if this throws
   */
  public void writeSoon(CachedBlock block, PageSlice slice, ByteBuffer buffer, RuleAccount rule,
      boolean isOrder, Runnable end) {
    SsdDirectory directory = SsdDirectory.of(block);
    // While it waits, the block's entry stays, as for a reader.
    if (directory == null || !block.addReader()) {
      end.run();
      return;
    }
    WriteQueue.Write write;
    try {
      write = new WriteQueue.Write(slice.bufferLength(),
          () -> write(block, slice, buffer, rule, isOrder), () -> release(block, end));
    } catch (RuntimeException | Error e) {
      release(block, end);
      throw e;
    }
    if (!directory.writes().submit(write)) {
      metrics.count(Event.FILLS_DROPPED_QUEUE_FULL);
    }
  }

  private static void release(CachedBlock block, Runnable end) {
    try {
      block.removeReader();
    } finally {
      end.run();
    }
  }

  /**
   * Writes the missing parts, in a thread of the SSD. Errors are counted, never thrown.
   *
   * @param slice whole parts of a page
   * @param buffer of the slice, verified
   * @param rule whose page it is; null: nobody's
   * @param isOrder whether an operator wants it; if not, a reader has missed it
   */
  public void write(CachedBlock block, PageSlice slice, ByteBuffer buffer, RuleAccount rule,
      boolean isOrder) {
    SsdDirectory directory = SsdDirectory.of(block);
    if (directory == null) {
      return;
    }
    // Only one thread at a time writes to a page.
    Lock lock = directory.pages().writing(block, slice.page());
    lock.lock();
    try {
      int there = block.parts(slice.page());
      int missing = slice.parts() & ~there;
      if (missing != 0 && mayWrite(block, directory)) {
        reserveAndWrite(block, slice, missing, there != 0, buffer, rule, isOrder, directory);
      }
    } catch (PageNotReadException e) {
      // Evicted, because others were read more. The next miss fills it again.
      metrics.count(Event.FILLS_DROPPED_NOT_PUBLISHED);
    } catch (IOException e) {
      failed(directory, e);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.PAGE_WRITE, e);
    } finally {
      lock.unlock();
    }
  }

  private boolean mayWrite(CachedBlock block, SsdDirectory directory) {
    if (!admission.mayFill(block.snapshot().key())) {
      return false;
    }
    if (block.isDead()) {
      metrics.count(Event.FILLS_DROPPED_STALE);
      return false;
    }
    // The budget may be spent since the page was admitted.
    if (!directory.hasRoom() || admission.isBudgetSpent()) {
      metrics.count(Event.FILLS_DROPPED_NOT_PUBLISHED);
      return false;
    }
    return true;
  }

  /** @param isThere whether the page has other parts already */
  private void reserveAndWrite(CachedBlock block, PageSlice slice, int missing, boolean isThere,
      ByteBuffer buffer, RuleAccount rule, boolean isOrder, SsdDirectory directory)
      throws IOException {
    // More parts are charged to the page's account.
    SsdPages pages = directory.pages();
    RuleAccount account = !isThere ? rule
        : pages.ownerOf(block, slice.page()) instanceof RuleAccount owner ? owner : null;
    long bytes = block.layout().space(slice.page(), missing);
    if (account != null && !rules.reserve(account, directory, bytes)) {
      return;
    }
    try {
      admission.written(bytes);
      directory.wear().wrote(bytes);
      if (isThere) {
        pages.extend(block, slice, missing, buffer);
        admission.publish(block, slice.page(), missing,
            () -> pages.publishMore(block, slice.page(), missing));
      } else {
        writeNew(block, slice, buffer, rule, isOrder, pages);
      }
    } finally {
      if (account != null) {
        rules.release(account, bytes);
      }
    }
  }

  private void writeNew(CachedBlock block, PageSlice slice, ByteBuffer buffer, RuleAccount rule,
      boolean isOrder, SsdPages pages) throws IOException {
    boolean wasMissedBefore = isOrder
        || admission.wasMissedBefore(block.snapshot().key(), rule, slice.page());
    pages.prepare(block, slice, buffer);
    try {
      admission.publish(block, slice.page(), slice.parts(),
          () -> !pages.contains(block, slice.page())
              && pages.publish(block, slice, buffer, rule, wasMissedBefore));
    } finally {
      pages.discard(block, slice.page());
    }
  }

  /** Counts an error, except for a write interrupted by the closing local cache. */
  private void failed(SsdDirectory directory, IOException error) {
    if (!Thread.currentThread().isInterrupted()) {
      metrics.error(Operation.PAGE_WRITE, directory.path(), error);
    }
  }
}
