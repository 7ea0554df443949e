/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.WriteQueue;

/**
 * Reads parts of pages once for all readers that need the same bytes at the same time. SSDs are
 * read only in the SSD's threads; a page that is worth it is moved into the memory tier afterwards,
 * in the tier's thread: a slow tmpfs is no slow SSD, and a fast one hides none. A replica is read in
 * the reader's thread or in one of the volume.
 */
public final class PageFetches {

  /** A source of a slice of a page. */
  public interface Source {
    /** Reads chunks and tails. @param buffer of the slice */
    void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException;
  }

  /** A visit to the data volume of a replica. All methods are called in the reading thread. */
  public interface Visit extends Source {
    /**
     * The parts are verified, and are being sent.
     *
     * @param buffer of the slice
     * @param end to be called once, when the buffer is no longer needed
     */
    void done(PageSlice slice, ByteBuffer buffer, Runnable end);

    /**
     * The parts were not read. Must not throw.
     *
     * @param why the error, {@link PageNotReadException} if nothing was read; a {@link
     *     io.hdfslocalcache.plugin.page.DamagedPageException} if the replica does not match its
     *     checksums
     */
    void failed(Throwable why);
  }

  private final BufferPool buffers;
  private final MemoryTier memory;
  private final ConcurrentHashMap<CachedBlock, List<PageFetch>> running = new ConcurrentHashMap<>();

  /** @param memory where pages are moved to */
  public PageFetches(BufferPool buffers, MemoryTier memory) {
    this.buffers = buffers;
    this.memory = memory;
  }

  /**
   * Begins to read a part of a page that is on its SSD, or joins another reader's read of it: of its
   * SSD, or of the replica if that has ended. So a hit never waits for a data volume.
   *
   * @param from first byte that is needed now, in the page's data
   * @param to byte after the last that is needed now
   * @param wanted byte after the last that the reader will need of the page; at least {@code to}
   * @return the read, to be {@link #await awaited} or closed
   */
  PageFetch begin(SsdDirectory ssd, CachedBlock block, int page, int from, int to, int wanted) {
    PageSlice slice = slice(block, page, from, to, wanted);
    PageFetch own = new PageFetch(block, slice, slice.parts(), PageBytes.Origin.SSD);
    SsdIo.Task<Void> task = ssd.io().task(Operation.PAGE_READ, new Reading(ssd, own));
    own.waitWith(new PageFetch.Waiting() {
      @Override
      public void await(long nanos) throws IOException {
        task.await(nanos);
      }

      @Override
      public boolean isOver() {
        return task.isOver();
      }
    });
    own.join();
    PageFetch fetch = joinOrEnter(own, from, to,
        other -> other.origin() == PageBytes.Origin.SSD || other.isRead());
    if (fetch == own) {
      task.begin();
    }
    return fetch;
  }

  /** @return whether buffers are left for more than what readers wait for. */
  boolean hasSpareBuffers() {
    return buffers.inUseBytes() < buffers.limitBytes() / 2;
  }

  /**
   * Waits for the end of a read.
   *
   * @param from first byte that is needed now, in the page's data
   * @param wanted byte after the last that the reader will need of the page; at least {@code to}
   * @param budget how long the reader may wait
   * @return the bytes that were read, verified; to be closed
   * @throws PageNotReadException if there is no such page, or no memory for it
   * @throws IOException if the disk fails, does not answer in time, or returns wrong bytes; then
   *     the read is closed
   */
  PageBytes await(PageFetch fetch, int from, int wanted, WaitBudget budget) throws IOException {
    try {
      // Others' bytes are not free.
      int bytes = Math.min(fetch.slice().to(), wanted) - from;
      if (fetch.origin() == PageBytes.Origin.SSD) {
        budget.await(bytes, fetch::await);
      } else {
        budget.awaitVolume(bytes, fetch::await);
      }
      return fetch;
    } catch (IOException | RuntimeException | Error e) {
      fetch.close();
      throw e;
    }
  }

  /**
   * Reads parts of a page from its replica, or waits for another reader that does.
   *
   * @param slice whole parts
   * @param from first byte that is needed now, in the page's data
   * @param to byte after the last that is needed now
   * @param wanted byte after the last that the reader will need of the page; at least {@code to}
   * @param budget how long the reader may wait for another thread
   * @param visit reads, and is told the result
   * @param thread runs the visit: in this thread or another one
   * @return the parts, verified; to be closed
   * @throws IOException if the parts were not read, or not in time; the visit has the reason
   */
  public PageBytes readThrough(CachedBlock block, PageSlice slice, int from, int to, int wanted,
      WaitBudget budget, Visit visit, Executor thread) throws IOException {
    PageFetch own = new PageFetch(block, slice, slice.parts(), PageBytes.Origin.MEMORY);
    PageFetch.VisitEnd ended = new PageFetch.VisitEnd();
    own.waitWith(ended);
    own.join();
    // Made before others can wait for it: nothing is left that may lack memory.
    PageBytes bytes = new PageFetch.OwnVisit(own);
    AtomicBoolean left = new AtomicBoolean();
    Runnable end = () -> {
      if (left.compareAndSet(false, true)) {
        end(own);
      }
    };
    Runnable make = () -> make(visit, own, ended, end);
    PageFetch fetch = joinOrEnter(own, from, to, other -> true);
    if (fetch != own) {
      return await(fetch, from, wanted, budget);
    }
    try {
      thread.execute(make);
    } catch (RuntimeException | Error e) {
      // No thread can be started.
      ended.failed(e);
      end.run();
    }
    await(own, from, wanted, budget);
    return bytes;
  }

  /** Reads in the current thread. @param end ends the read, if it has not ended yet */
  private void make(Visit visit, PageFetch own, PageFetch.VisitEnd ended, Runnable end) {
    try {
      own.read(visit, buffers);
      ended.succeeded();
      visit.done(own.slice(), own.bytes(), end);
    } catch (IOException | RuntimeException | Error e) {
      try {
        visit.failed(e);
      } finally {
        ended.failed(e);
        end.run();
      }
    }
  }

  /** @return another read of these bytes, with one more user, or the own one. */
  private PageFetch joinOrEnter(
      PageFetch own, int from, int to, Predicate<PageFetch> mayJoin) {
    AtomicReference<PageFetch> joined = new AtomicReference<>(own);
    running.compute(own.block(), (block, others) -> {
      if (others == null) {
        return List.of(own);
      }
      for (PageFetch other : others) {
        if (other.slice().page() == own.slice().page() && other.covers(from, to)
            && mayJoin.test(other) && !other.isOver() && other.join()) {
          joined.set(other);
          return others;
        }
      }
      return Stream.concat(others.stream(), Stream.of(own)).toList();
    });
    return joined.get();
  }

  /** No more readers may join it. */
  private void leave(PageFetch fetch) {
    // Usually the only one, and nothing lacks memory.
    running.computeIfPresent(fetch.block(), (block, all) -> all.size() == 1 && all.get(0) == fetch
        ? null : all.stream().filter(other -> other != fetch).toList());
  }

  private void end(PageFetch fetch) {
    try {
      leave(fetch);
    } finally {
      fetch.close();
    }
  }

  /** @return whole chunks of cached parts. */
  private static PageSlice slice(CachedBlock block, int page, int from, int to, int wanted) {
    PageLayout layout = block.layout();
    int chunk = layout.chunkSize();
    int end = (wanted + chunk - 1) / chunk * chunk;
    int part = layout.partOf(to - 1) + 1;
    while (part < layout.parts(page) && (block.parts(page) >>> part & 1) != 0) {
      part++;
    }
    return new PageSlice(
        layout, page, from / chunk * chunk, Math.min(end, layout.partEnd(page, part - 1)));
  }

  /** The task of a thread of the SSD. It may outlive its readers. */
  private final class Reading implements SsdIo.Io<Void> {
    private final SsdDirectory ssd;
    private final PageFetch fetch;

    Reading(SsdDirectory ssd, PageFetch fetch) {
      this.ssd = ssd;
      this.fetch = fetch;
    }

    @Override
    public Void run() throws IOException {
      try {
        fetch.read(ssd.pages()::read, buffers);
        moveIfWorthIt(ssd, fetch);
        return null;
      } catch (IOException | RuntimeException | Error e) {
        ssd.readFailed(fetch.block(), fetch.slice().page(), e);
        throw e;
      } finally {
        end(fetch);
      }
    }

    @Override
    public void skipped(Throwable why) {
      try {
        ssd.readFailed(fetch.block(), fetch.slice().page(), why);
      } finally {
        end(fetch);
      }
    }
  }

  private void moveIfWorthIt(SsdDirectory ssd, PageFetch fetch) {
    PageSlice slice = fetch.slice();
    if (!memory.isWorthMoving(fetch.block(), slice.page(), slice.to() - slice.from())) {
      return;
    }
    if (slice.isWhole()) {
      move(fetch);
    } else {
      // A separate task, for which no reader waits.
      ssd.io().begin(Operation.PAGE_READ, new ReadingToMove(ssd, whole(fetch.block(), slice.page())));
    }
  }

  /** @return a read of all of a page, with the two uses of a reading thread that also waits for it. */
  private static PageFetch whole(CachedBlock block, int page) {
    PageFetch whole = new PageFetch(block, PageSlice.whole(block.layout(), page),
        block.parts(page), PageBytes.Origin.SSD);
    whole.join();
    return whole;
  }

  /** Moves a page that was read, without waiting. */
  private void move(PageFetch whole) {
    PageSlice slice = whole.slice();
    // All that needs memory, before there is one more user.
    WriteQueue.Write move = new WriteQueue.Write(slice.bufferLength(),
        () -> memory.enter(whole.block(), slice.page(), whole.parts(), whole.bytes()), whole::close);
    whole.join();
    try {
      memory.execute(move);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be started, but it may be queued. Readers who need it move it again.
      move.drop();
    }
  }

  /**
   * Moves a page into memory, if it exists and there is free room. A page that cannot be moved now
   * is moved when readers need it.
   *
   * @throws IOException if the SSD fails
   */
  public void moveIn(SsdDirectory ssd, CachedBlock block, int page) throws IOException {
    if (block.parts(page) == 0 || !memory.hasRoomFor(block, page)) {
      return;
    }
    PageFetch whole = whole(block, page);
    try {
      // Only the SSD is watched: memory that stalls says nothing about it.
      ssd.io().watch(Operation.RESTORE, SsdIo.Io.of(() -> whole.read(ssd.pages()::read, buffers)));
      memory.enter(block, page, whole.parts(), whole.bytes());
    } catch (PageNotReadException | DamagedPageException e) {
      // It was evicted, or a reader will find out.
    } finally {
      closeTwice(whole);
    }
  }

  private static void closeTwice(PageFetch whole) {
    whole.close();
    whole.close();
  }

  /** Reads a page for the memory tier, in a thread of the SSD. */
  private final class ReadingToMove implements SsdIo.Io<Void> {
    private final SsdDirectory ssd;
    private final PageFetch whole;

    ReadingToMove(SsdDirectory ssd, PageFetch whole) {
      this.ssd = ssd;
      this.whole = whole;
    }

    @Override
    public Void run() throws IOException {
      try {
        whole.read(ssd.pages()::read, buffers);
        move(whole);
        return null;
      } finally {
        closeTwice(whole);
      }
    }

    @Override
    public void skipped(Throwable why) {
      closeTwice(whole);
    }
  }
}
