/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.ChunkVerifier;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.plugin.store.SsdDirectories;
import io.hdfslocalcache.plugin.store.SsdDirectory;
import org.apache.hadoop.util.DataChecksum;

/**
 * Copies pages from a replica to an SSD.
 *
 * <p>A change of the replica meanwhile must not leave a page that nobody will ever remove. The
 * order of steps sees to that: the block is entered into the index, then the dataset is asked
 * whether the replica is still the one that was read. A change before the question is seen by the
 * answer; a change after it finds the entry and kills it. A page is published only while its entry
 * lives, under the entry's monitor, which whoever killed the entry takes before removing pages.
 */
public final class PageFiller {

  /** What a filler works with. */
  public record Context(int pageSize, ReplicaAccess replicas, BlockIndex index,
      SsdDirectories directories, LocalCacheMetrics metrics, BufferPool buffers,
      Switches switches) {
  }

  /** What a filler asks of, and tells, the local cache around it. */
  public interface Switches {
    /** @return whether pages of the block may be filled at this moment. */
    boolean mayFill(BlockKey key);

    /** A block has been killed; its pages are to be removed. */
    void killed(CachedBlock block, String why);

    /** @return whether a page that is missing may be filled; asked once for each fill of it. */
    default boolean admits(FillRequest request, int page) {
      return true;
    }

    /**
     * Waits until a page may be filled without harm to readers. Called without any lock.
     *
     * @param bytes of the page's file
     * @throws InterruptedException if the fill is to end
     */
    default void awaitPace(FillRequest request, long bytes) throws InterruptedException {
    }

    /**
     * Makes room on the account of the request's rule. A page of no rule needs none.
     *
     * @param bytes that the page will take on the SSD
     * @return false if there is no room: the page is not filled
     */
    default boolean reserve(FillRequest request, SsdDirectory directory, long bytes)
        throws IOException {
      return true;
    }

    /** The page is there now, or will not be: it needs no reservation any more. */
    default void release(FillRequest request, long bytes) {
    }

    /** A page file is about to be written to an SSD. */
    default void writing(long bytes) {
    }
  }

  private record PageOfBlock(BlockKey key, long generationStamp, int page) {
  }

  private final Context context;
  private final Set<PageOfBlock> inFlight = ConcurrentHashMap.newKeySet();

  public PageFiller(Context context) {
    this.context = context;
  }

  /** Fills all pages of the range that are not there. Errors are counted, never thrown. */
  public void fill(FillRequest request) {
    try {
      fillIfNeeded(request);
    } catch (RuntimeException | Error e) {
      context.metrics().error(Operation.FILL_READ, e);
    } finally {
      // Of this SSD only: a fill that hangs on another may hold the monitor of a block there.
      SsdDirectory ssd = context.directories().of(request.snapshot().key());
      context.index().dropEmptied(
          block -> context.directories().of(block.snapshot().key()) == ssd);
    }
  }

  private void fillIfNeeded(FillRequest request) {
    try {
      BitSet pages = wanted(request);
      if (!pages.isEmpty()) {
        openAndFill(request, pages);
      }
    } catch (IOException e) {
      if (context.replicas().isCurrent(request.snapshot())) {
        failed(Operation.FILL_READ, e);
      } else {
        context.metrics().count(Event.FILLS_DROPPED_STALE);
      }
    }
  }

  /** Finds out before the replica is opened, which costs its disk a seek. */
  private BitSet wanted(FillRequest request) {
    BitSet pages = new BitSet();
    BlockKey key = request.snapshot().key();
    if (!context.switches().mayFill(key)) {
      return pages;
    }
    CachedBlock block = context.index().find(request.snapshot());
    SsdDirectory directory = context.directories().of(key);
    int last = Math.toIntExact((request.to() - 1) / context.pageSize());
    for (int page = Math.toIntExact(request.from() / context.pageSize()); page <= last; page++) {
      boolean missing = block == null || isMissing(directory, block, page);
      pages.set(page, missing
          && (request.isOrdered() || context.switches().admits(request, page)));
    }
    return pages;
  }

  private boolean isMissing(SsdDirectory directory, CachedBlock block, int page) {
    BitSet laidOut = laidOut(page, block.layout());
    return laidOut.stream().anyMatch(each -> !directory.contains(block, each));
  }

  /**
   * Before a replica is opened, pages are counted in the configured size; in the block they are
   * smaller if its chunks do not divide that.
   *
   * @return the block's pages that hold bytes of such a page
   */
  private BitSet laidOut(int page, PageLayout layout) {
    long from = (long) page * context.pageSize();
    long to = Math.min(from + context.pageSize(), layout.blockLength());
    BitSet pages = new BitSet();
    if (from < to) {
      pages.set(layout.pageOf(from), layout.pageOf(to - 1) + 1);
    }
    return pages;
  }

  private void openAndFill(FillRequest request, BitSet pages) throws IOException {
    ReplicaSnapshot snapshot = request.snapshot();
    try (ReplicaFiles files = context.replicas().open(snapshot)) {
      DataChecksum checksum = files.checksum();
      if (!PageLayout.supports(context.pageSize(), checksum)) {
        context.metrics().count(Event.FILLS_DROPPED_UNSUPPORTED);
        return;
      }
      PageLayout layout = new PageLayout(context.pageSize(), checksum, snapshot.length());
      CachedBlock block = enter(snapshot, layout);
      try {
        if (context.replicas().isCurrent(snapshot)) {
          BitSet laidOut = new BitSet();
          pages.stream().forEach(page -> laidOut.or(laidOut(page, layout)));
          fillPages(request, laidOut, block, files);
        } else {
          // If the entry has pages, from a fill before, the change will find it or has found it.
          context.metrics().count(Event.FILLS_DROPPED_STALE);
        }
      } finally {
        context.index().dropIfEmpty(block);
      }
    }
  }

  private CachedBlock enter(ReplicaSnapshot snapshot, PageLayout layout) {
    BlockIndex.Registration entry = context.index().register(snapshot, layout);
    if (entry.replaced() != null) {
      context.switches().killed(entry.replaced(), "replaced by " + snapshot);
    }
    return entry.block();
  }

  private void fillPages(FillRequest request, BitSet pages, CachedBlock block,
      ReplicaFiles files) throws IOException {
    SsdDirectory directory = context.directories().of(block.snapshot().key());
    for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(page + 1)) {
      // First of all: whatever is asked after it may have changed meanwhile.
      if (!directory.contains(block, page)) {
        awaitPace(request, block, page);
      }
      if (!directory.hasRoom()) {
        context.metrics().add(Event.FILLS_DROPPED_NOT_PUBLISHED,
            pages.get(page, pages.length()).cardinality());
        return;
      }
      if (block.isDead() || !context.switches().mayFill(block.snapshot().key())
          || Thread.currentThread().isInterrupted()) {
        return;
      }
      PageOfBlock id = new PageOfBlock(
          block.snapshot().key(), block.snapshot().generationStamp(), page);
      if (!inFlight.add(id)) {
        continue;
      }
      try {
        if (!directory.contains(block, page)) {
          reserveAndFill(request, block, page, files, directory);
        }
      } finally {
        inFlight.remove(id);
      }
    }
  }

  private void awaitPace(FillRequest request, CachedBlock block, int page) {
    try {
      context.switches().awaitPace(request, block.layout().fileLength(page));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reserveAndFill(FillRequest request, CachedBlock block, int page,
      ReplicaFiles files, SsdDirectory directory) throws IOException {
    long bytes = block.layout().fileLength(page);
    if (request.rule() == null) {
      fillPage(request, block, page, files, directory);
    } else if (context.switches().reserve(request, directory, bytes)) {
      try {
        fillPage(request, block, page, files, directory);
      } finally {
        context.switches().release(request, bytes);
      }
    }
  }

  private void fillPage(FillRequest request, CachedBlock block, int page, ReplicaFiles files,
      SsdDirectory directory) throws IOException {
    try (BufferPool.Buffer buffer = context.buffers().take(block.layout().fileLength(page))) {
      if (buffer == null) {
        context.metrics().count(Event.FILLS_DROPPED_NO_BUFFER);
        return;
      }
      ByteBuffer content = buffer.bytes();
      read(block, page, files, content);
      if (verify(block, page, content)) {
        write(request, block, page, content, directory);
      }
    }
  }

  private void write(FillRequest request, CachedBlock block, int page, ByteBuffer content,
      SsdDirectory directory) {
    try {
      context.switches().writing(block.layout().fileLength(page));
      directory.prepare(block, page, content.duplicate());
      try {
        publish(request, block, page, content, directory);
      } finally {
        directory.discard(block, page);
      }
    } catch (IOException e) {
      failed(Operation.PAGE_WRITE, e);
    }
  }

  /** Counts an error, except for a fill that is ended by an interrupt: the local cache closes. */
  private void failed(Operation operation, IOException error) {
    if (!Thread.currentThread().isInterrupted()) {
      context.metrics().error(operation, error);
    }
  }

  private static void read(CachedBlock block, int page, ReplicaFiles files, ByteBuffer content)
      throws IOException {
    PageLayout layout = block.layout();
    content.limit(layout.dataLength(page));
    files.readData(layout.start(page), content);
    content.limit(content.position() + layout.checksumLength(page));
    files.readChecksums(layout.checksumStart(page), content);
    content.limit(layout.fileLength(page));
    PageTrailer.write(content, block.snapshot(), layout, page);
    content.flip();
  }

  private boolean verify(CachedBlock block, int page, ByteBuffer content) {
    PageLayout layout = block.layout();
    int data = layout.dataLength(page);
    try {
      new ChunkVerifier(layout).verify(
          content.duplicate().limit(data), content.duplicate().position(data), page, 0);
      return true;
    } catch (IOException e) {
      if (context.replicas().isCurrent(block.snapshot())) {
        // The replica itself is damaged. The client that reads it finds out, and reports it.
        context.metrics().error(Operation.FILL_VERIFY,
            new DamagedPageException("replica " + block + ": " + e.getMessage(), e));
      } else {
        context.metrics().count(Event.FILLS_DROPPED_STALE);
      }
      return false;
    }
  }

  private void publish(FillRequest request, CachedBlock block, int page, ByteBuffer content,
      SsdDirectory directory) {
    synchronized (block) {
      if (block.isDead()) {
        context.metrics().count(Event.FILLS_DROPPED_STALE);
        return;
      }
      if (directory.contains(block, page)) {
        // Somebody else was faster; adding it again would change nothing, and look like a fill.
        return;
      }
      if (!directory.publish(block, page, content, request.rule())) {
        context.metrics().count(Event.FILLS_DROPPED_NOT_PUBLISHED);
        return;
      }
    }
    context.metrics().count(Event.FILLS);
    context.metrics().add(Event.FILL_BYTES, block.layout().dataLength(page));
    context.metrics().add(Event.FILL_WRITTEN_BYTES, block.layout().fileLength(page));
  }
}
