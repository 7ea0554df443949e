/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.Verification;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.plugin.store.OpenPage;
import org.apache.hadoop.util.DirectBufferPool;

/**
 * Makes chunks of a page ready to be sent. What the OS has in memory is read by the reader's
 * thread, for it cannot wait for the SSD; everything else by a thread of the SSD's. What is
 * verified is the copy that is sent, unless it has been verified before and may stay where it is.
 */
final class RangeLoader {

  /** For so long, bytes that were in memory are taken to be there still. */
  private static final long RESIDENT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int NO_PAGE = -1;
  private static final int SMALLEST_BUFFER = 4096;
  private static final DirectBufferPool BUFFERS = new DirectBufferPool();

  private final CachedBlock block;
  private final PageLayout layout;
  private final PageSource pages;
  private final Verification verification;
  private final ChunkVerifier verifier;

  private int residentPage = NO_PAGE;
  private int residentFrom;
  private int residentTo;
  private long residentAt;

  RangeLoader(CachedBlock block, PageSource pages, Verification verification) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.verification = verification;
    this.verifier = new ChunkVerifier(layout);
  }

  /**
   * Makes whole chunks ready.
   *
   * @param open the page's file; stays the caller's
   * @throws DamagedPageException if the data does not match its checksums
   * @throws IOException if the SSD fails, or does not answer in time
   */
  PageRange load(OpenPage open, int page, int from, int to) throws IOException {
    if (!isResident(open, page, from, to)) {
      return pages.await(block, Operation.PAGE_READ, new Reading(open.share(), page, from, to));
    }
    if (verification == Verification.NEVER
        || verification == Verification.RESIDENT && open.verified().cover(from, to)) {
      return PageRange.inFile(page, from, to, open.share());
    }
    if (verification == Verification.ALWAYS) {
      return copyVerified(open, page, from, to);
    }
    int epoch = open.verified().epoch();
    PageRange copy = copyVerified(open, page, from, to);
    open.verified().add(epoch, from, to);
    return copy;
  }

  /** The copy, and not what the file has a moment later, is what was verified. */
  private PageRange copyVerified(OpenPage open, int page, int from, int to) throws IOException {
    int length = to - from;
    int checksums = checksumLength(from, to);
    ByteBuffer buffer = BUFFERS.getBuffer(capacity(length + checksums));
    try {
      ByteBuffer data = buffer.slice(0, length);
      ByteBuffer sums = buffer.slice(length, checksums);
      read(open, page, from, data, sums);
      verifier.verify(data, sums, page, from);
      int trailer = layout.fileLength(page) - PageTrailer.LENGTH;
      if (open.isResident(trailer, trailer + PageTrailer.LENGTH)) {
        checkTrailer(open, page);
      }
      return PageRange.inMemory(
          page, from, to, data, sums, () -> BUFFERS.returnBuffer(buffer));
    } catch (IOException | RuntimeException e) {
      BUFFERS.returnBuffer(buffer);
      throw e;
    }
  }

  /** Few sizes, so that buffers are found again. */
  private static int capacity(int length) {
    return Math.max(SMALLEST_BUFFER, Integer.highestOneBit(length - 1) << 1);
  }

  private void read(OpenPage open, int page, int from, ByteBuffer data, ByteBuffer checksums)
      throws IOException {
    open.read(from, data);
    open.read(checksumsAt(page, from), checksums);
    data.flip();
    checksums.flip();
  }

  /** @return where in the page's file the checksum of a chunk is. */
  private int checksumsAt(int page, int from) {
    return layout.dataLength(page) + from / layout.chunkSize() * layout.checksumSize();
  }

  /**
   * Tells whether data and its checksums are in memory. Asking costs as much as sending 4 KB, so
   * for a reader that goes on more is asked for than it needs.
   */
  boolean isResident(OpenPage open, int page, int from, int to) {
    long now = System.nanoTime();
    boolean goesOn = page == residentPage && from >= residentFrom && from <= residentTo;
    if (goesOn && to <= residentTo && now - residentAt < RESIDENT_NANOS) {
      return true;
    }
    int ahead = goesOn ? 2 * (residentTo - residentFrom) : 0;
    int end = Math.min(layout.dataLength(page), Math.max(to, from + ahead));
    if (ask(open, page, from, end) || end > to && ask(open, page, from, to)) {
      residentAt = now;
      return true;
    }
    residentPage = NO_PAGE;
    return false;
  }

  private boolean ask(OpenPage open, int page, int from, int to) {
    int checksums = checksumsAt(page, from);
    if (!open.isResident(from, to)
        || !open.isResident(checksums, checksums + checksumLength(from, to))) {
      return false;
    }
    residentPage = page;
    residentFrom = from;
    residentTo = to;
    return true;
  }

  /**
   * Another page's file has data that matches its checksums, too. So when the SSD is read, it is
   * asked again whose page this is: what was true when the file was opened is not proven for what
   * the SSD returns later.
   */
  private void checkTrailer(OpenPage open, int page) throws IOException {
    ByteBuffer trailer = ByteBuffer.allocate(PageTrailer.LENGTH);
    open.read(layout.fileLength(page) - PageTrailer.LENGTH, trailer);
    if (!PageTrailer.matches(trailer.flip(), block.snapshot(), layout, page)) {
      throw new DamagedPageException("not page " + page + " of " + block + " any more", null);
    }
  }

  private int checksumLength(int from, int to) {
    int chunk = layout.chunkSize();
    return ((to + chunk - 1) / chunk - from / chunk) * layout.checksumSize();
  }

  /** What a thread of the SSD's does. It may outlive its reader, with whom it shares nothing. */
  private final class Reading implements SsdIo.Io<PageRange> {
    private final OpenPage open;
    private final int page;
    private final int from;
    private final int to;

    Reading(OpenPage open, int page, int from, int to) {
      this.open = open;
      this.page = page;
      this.from = from;
      this.to = to;
    }

    @Override
    public PageRange run() throws IOException {
      try (open) {
        return read();
      }
    }

    @Override
    public void skipped() {
      open.close();
    }

    private PageRange read() throws IOException {
      // Before the read: the kernel may bring in more of the file than is verified here.
      open.verified().clear();
      int epoch = open.verified().epoch();
      // Of its own: a reader that has given up may be gone when this is done.
      ByteBuffer data = ByteBuffer.allocate(to - from);
      ByteBuffer checksums = ByteBuffer.allocate(checksumLength(from, to));
      RangeLoader.this.read(open, page, from, data, checksums);
      if (verification != Verification.NEVER) {
        new ChunkVerifier(layout).verify(data, checksums, page, from);
        checkTrailer(open, page);
        open.verified().add(epoch, from, to);
      }
      return PageRange.inMemory(page, from, to, data, checksums, () -> { });
    }
  }
}
