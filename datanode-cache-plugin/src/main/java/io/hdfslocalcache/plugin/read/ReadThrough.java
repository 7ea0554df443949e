/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Function;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.fill.FillFailures;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.fill.Fills;
import io.hdfslocalcache.plugin.fill.PageWriter;
import io.hdfslocalcache.plugin.fill.Volume;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * Fills what reads miss, by the read's own visit to the disk: the parts that it needs of a page are
 * read in one request, verified, sent, shared with other readers meanwhile, and then written to the
 * SSD. If the client requested all of that, its own thread makes the visit, as without a local
 * cache; if not, a thread of the volume makes it, and the client waits within its budget. Bytes in
 * the OS page cache are sent as without a local cache, which costs least, and filled after the
 * read.
 *
 * <p>After any failure here, the replica is read and sent as without a local cache; so a client
 * detects a damaged replica itself.
 */
public final class ReadThrough {

  /**
   * Most bytes to read at a time from a volume that is not busy. With more, a reader would wait
   * longer for the first byte. On a busy volume, every visit costs more than that.
   */
  private static final int AT_ONCE = 256 << 10;

  private final ReplicaAccess replicas;
  private final PageFetches fetches;
  private final Fills fills;
  private final PageWriter writer;
  private final Admission admission;
  private final Function<BlockKey, Volume> volumes;
  private final LocalCacheMetrics metrics;
  private final FillFailures failures;
  private final long budgetNanos;

  /**
   * @param volumes the data volume of a block's replica
   * @param budgetNanos how much longer a read may take than from the data volume
   */
  public ReadThrough(ReplicaAccess replicas, PageFetches fetches, Fills fills, PageWriter writer,
      Admission admission, Function<BlockKey, Volume> volumes, LocalCacheMetrics metrics,
      long budgetNanos) {
    this.replicas = replicas;
    this.fetches = fetches;
    this.fills = fills;
    this.writer = writer;
    this.admission = admission;
    this.volumes = volumes;
    this.metrics = metrics;
    this.failures = new FillFailures(replicas, metrics);
    this.budgetNanos = budgetNanos;
  }

  /** The missing parts of one read. Used by one thread, except for its visits. */
  public class MissedParts {

    private final CachedBlock block;
    private final RuleAccount rule;
    private final WaitBudget budget;
    private ReplicaFiles files;
    private Volume volume;
    /** Null: not decided yet. */
    private Boolean blockAdmitted;
    private int askedPage = -1;
    private boolean pageAdmitted;
    private volatile boolean failed;
    /** The range that was sent from the OS page cache, to be filled afterwards. */
    private long laterFrom = Long.MAX_VALUE;
    private long laterTo;
    private long sentBytes;
    private long sentNanos;

    /** @param rule that the read belongs to, or null */
    public MissedParts(CachedBlock block, RuleAccount rule) {
      this.block = block;
      this.rule = rule;
      this.budget = new WaitBudget(budgetNanos, TimeAndThreads.get()::nanoTime,
          bytes -> volume().busyNanos(bytes));
    }

    /** The same for a block that is admitted. @param replica its files, closed with this */
    public MissedParts(CachedBlock block, RuleAccount rule, ReplicaFiles replica) {
      this(block, rule);
      this.files = replica;
      this.blockAdmitted = true;
    }

    /** Sets the decision for a page that was made already. @return this */
    public MissedParts asked(int page, boolean isAdmitted) {
      askedPage = page;
      pageAdmitted = isAdmitted;
      return this;
    }

    /** @return how long the read may wait for missing parts and for pages. */
    public WaitBudget budget() {
      return budget;
    }

    /**
     * Reads from the replica, or waits for another reader that does.
     *
     * @param from first byte that is needed now, in the page's data
     * @param to byte after the last that is needed now
     * @param wanted byte after the last that the reader will need of the page; at least {@code to}
     * @return at least the needed bytes, verified, to be closed by the caller; null: send them from
     *     the replica
     */
    public PageBytes get(int page, int from, int to, int wanted) {
      try {
        if (failed) {
          return null;
        }
        if (volume().isMemory()) {
          long start = block.layout().start(page);
          laterFrom = Math.min(laterFrom, start + from);
          laterTo = Math.max(laterTo, start + to);
          return null;
        }
        PageSlice slice = slice(page, from, to, wanted);
        return !volume().isAvoided(block, slice) && isAdmitted(page)
            ? readThrough(slice, from, to, wanted) : null;
      } catch (RuntimeException | Error e) {
        failed = true;
        metrics.error(Operation.FILL_READ, e);
        return null;
      }
    }

    private PageBytes readThrough(PageSlice slice, int from, int to, int wanted) {
      if (files == null) {
        try {
          files = replicas.open(block.snapshot());
        } catch (IOException e) {
          failed(e);
          return null;
        }
      }
      boolean isWanted = isWanted(slice, from, wanted);
      try {
        return fetches.readThrough(block, slice, from, to, wanted, budget,
            new Visit(slice, isWanted, files),
            isWanted ? Runnable::run : volume()::visit);
      } catch (IOException e) {
        // The visit reports the reason.
        if (budget.isOverdrawn()) {
          volume().avoid(block, slice);
        }
        return null;
      }
    }

    /** @return whether the client requested all of the slice, apart from the rest of its chunks. */
    private boolean isWanted(PageSlice slice, int from, int to) {
      int chunk = block.layout().chunkSize();
      return slice.from() >= from / chunk * chunk && slice.to() <= (to + chunk - 1) / chunk * chunk;
    }

    private void failed(IOException error) {
      failed = true;
      failures.failed(block.snapshot(), error);
    }

    private boolean isAdmitted() {
      if (blockAdmitted == null) {
        blockAdmitted = admission.admits(block.snapshot().key(), rule);
      }
      return blockAdmitted;
    }

    private boolean isAdmitted(int page) {
      if (!isAdmitted() || !admission.mayFill(block.snapshot().key())) {
        return false;
      }
      if (page != askedPage) {
        askedPage = page;
        pageAdmitted = admission.isKeptUpWith(block.snapshot().key())
            && admission.admits(block.snapshot().key(), rule, page);
      }
      return pageAdmitted;
    }

    /**
     * @return the needed parts, and the following missing parts that will be needed. On a busy
     *     volume, if the page has other parts already, the missing parts around them, too: it is
     *     read in many places, and each visit would wait as long as this one.
     */
    private PageSlice slice(int page, int from, int to, int wanted) {
      PageLayout layout = block.layout();
      int there = block.parts(page);
      int first = layout.partOf(from);
      int last = layout.partOf(to - 1);
      boolean isBusy = volume().isBusy();
      if (isBusy && there != 0 && fetches.hasSpareBuffers() && volume().mayVisit()) {
        PageSlice missing = missing(page, there, first, last, 0, layout.parts(page) - 1);
        if (!volume().isAvoided(block, missing)) {
          return missing;
        }
      }
      int most = layout.partOf(
          isBusy ? wanted - 1 : Math.min(wanted, layout.partStart(first) + AT_ONCE) - 1);
      return missing(page, there, first, last, first, most);
    }

    /** @return some parts and the missing ones next to them, within bounds. */
    private PageSlice missing(int page, int there, int first, int last, int least, int most) {
      int from = first;
      int to = last;
      while (from > least && (there >>> from - 1 & 1) == 0) {
        from--;
      }
      while (to < most && (there >>> to + 1 & 1) == 0) {
        to++;
      }
      return PageSlice.ofParts(block.layout(), page, from, to);
    }

    /** @return the replica that parts are read from, closed with this; null: none was needed yet. */
    public ReplicaFiles replica() {
      return files;
    }

    /** Data was sent from the replica, as the DataNode does it. @param nanos how long that took */
    public void replicaRead(long bytes, long nanos) {
      metrics.volumeTook(nanos);
      sentBytes += bytes;
      sentNanos += nanos;
    }

    /** The read has ended: its later fills begin. */
    public void finished() {
      try {
        if (sentBytes > 0) {
          volume().took(sentBytes, sentNanos);
        }
        if (!failed && laterFrom < laterTo && isAdmitted()
            && admission.mayFill(block.snapshot().key())) {
          fills.missed(FillRequest.missed(
              volume(), block.snapshot(), rule, laterFrom, laterTo));
        }
      } catch (RuntimeException | Error e) {
        metrics.error(Operation.FILL_READ, e);
      }
      failed = true;
    }

    /** Releases the replica. */
    public void close() {
      if (files != null) {
        files.close();
        files = null;
      }
      failed = true;
    }

    private Volume volume() {
      if (volume == null) {
        volume = volumes.apply(block.snapshot().key());
      }
      return volume;
    }

    /** A visit to the data volume. It may outlive the read, and still fills then. */
    private final class Visit implements PageFetches.Visit {
      private final PageSlice slice;
      private final boolean isWanted;
      private final ReplicaFiles replica;
      private final Volume volume = volume();
      /** Whether this is a reader of the block: its entry stays until the write is queued. */
      private boolean isReader;

      /** @param isWanted whether the client requested all of it */
      Visit(PageSlice slice, boolean isWanted, ReplicaFiles replica) {
        this.slice = slice;
        this.isWanted = isWanted;
        this.replica = replica;
      }

      @Override
      public void read(CachedBlock ofBlock, PageSlice ofSlice, ByteBuffer buffer) throws IOException {
        isReader = block.addReader();
        if (!replica.retain()) {
          throw new PageNotReadException("the read is over");
        }
        long begin = TimeAndThreads.get().nanoTime();
        try {
          volume.read(ofBlock, slice, buffer, replica, !isWanted);
        } finally {
          metrics.volumeTook(TimeAndThreads.get().nanoTime() - begin);
          replica.close();
        }
      }

      @Override
      public void done(PageSlice ofSlice, ByteBuffer buffer, Runnable end) {
        try {
          writer.writeSoon(block, slice, buffer, rule, false, end);
        } finally {
          removeReader();
        }
      }

      private void removeReader() {
        if (isReader) {
          isReader = false;
          block.removeReader();
        }
      }

      @Override
      public void failed(Throwable why) {
        removeReader();
        if (why instanceof PageNotReadException) {
          if (why instanceof PageNotReadException.NoBuffer) {
            metrics.count(Event.FILLS_DROPPED_NO_BUFFER);
          }
          return;
        }
        try {
          volume.avoid(block, slice);
          if (why instanceof IOException error) {
            MissedParts.this.failed(error);
          } else {
            failed = true;
            metrics.error(Operation.FILL_READ, why);
          }
        } catch (RuntimeException | Error e) {
          metrics.error(Operation.FILL_READ, e);
        }
      }
    }
  }
}
