/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.config.Verification;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.ChunkVerifier;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.store.OpenPage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes chunks of a page ready to be sent. What the OS has in memory is read by the reader's
 * thread, for it cannot wait for the SSD; everything else by a thread of the SSD's. What is
 * verified is the copy that is sent, unless it has been verified before and may stay where it is.
 */
final class RangeLoader implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(RangeLoader.class);

  /**
   * So much is read from the SSD at once for a reader that goes on. Less than what the garbage
   * collector takes for humongous.
   */
  private static final int FETCH = 256 << 10;
  /**
   * Of a page of which a reader wants less than this, and less than a page, it gets a copy that is
   * verified each time: that costs less than to ask whether it is proven, and to send it by a call of
   * its own.
   */
  private static final int SMALL = 32 << 10;

  private final CachedBlock block;
  private final PageLayout layout;
  private final PageSource pages;
  private final Verification verification;
  private final int small;
  private final ChunkVerifier verifier;
  private final BufferPool buffers = new BufferPool();
  private final PageSums sums;
  private final ResidentSpan resident;
  private long wantedTo;
  /** The page for which it is noted what this reader wants of it. */
  private OpenPage noted;
  /** The page of which it is known when it was written. */
  private OpenPage checked;
  /** What was read from the SSD, and is not all sent yet; or null. */
  private PageRange fetched;

  RangeLoader(CachedBlock block, PageSource pages, Verification verification) {
    this(block, pages, verification, (int) Math.min(SMALL, block.layout().start(1)));
  }

  /** @param small a reader that wants less of a page gets a copy, in bytes */
  RangeLoader(CachedBlock block, PageSource pages, Verification verification, int small) {
    this.small = small;
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.verification = verification;
    this.verifier = new ChunkVerifier(layout);
    this.sums = new PageSums(block, verification != Verification.NEVER, buffers);
    this.resident = new ResidentSpan(layout);
  }

  /** Sets where the reader will end if nothing happens; what is beyond is not read in advance. */
  void wantedTo(long offset) {
    noted = null;
    wantedTo = offset;
  }

  /** The reader comes to a page. */
  void enter() {
    noted = null;
    checked = null;
  }

  /**
   * Makes whole chunks ready.
   *
   * @param open the page's file; stays the caller's
   * @return the chunks; their checksums are there until the next call
   * @throws DamagedPageException if the data does not match its checksums
   * @throws IOException if the SSD fails, or does not answer in time
   */
  PageRange load(OpenPage open, int page, int from, int to) throws IOException {
    if (fetched != null && fetched.holdsAll(page, from, to)) {
      return fetched.part(layout, from, to);
    }
    fetched = null;
    boolean large = isLarge(page, from, to);
    if (large && checked != open) {
      open.forgetIfWritten();
      checked = open;
    }
    if (!isResident(open, page, from, to, large)) {
      return fetch(open, page, from, to);
    }
    ByteBuffer checksums = sums.of(open, page, from, to);
    return verification == Verification.NEVER
        || large && (resident.isProven() || prove(open, page, from, to))
        ? PageRange.inFile(page, from, to, open.share(), checksums)
        : copyVerified(open, page, from, to, checksums);
  }

  /** @return whether what the reader wants of the page is worth a question for its proof. */
  private boolean isLarge(int page, int from, int to) {
    return verification == Verification.RESIDENT && wants(page, from, to) >= small;
  }

  private int wants(int page, int from, int to) {
    return Math.max(to, wantedInPage(page)) - from;
  }

  /** @return whether the whole page is proven now to be in memory as it was verified. */
  private boolean prove(OpenPage open, int page, int from, int to) throws IOException {
    int wants = noted == open ? 0 : wants(page, from, to);
    noted = open;
    boolean proven = open.proof().isWorthwhile(wants)
        && open.isResident(0, layout.fileLength(page))
        && open.proof().make(() -> verify(open, page));
    // Perhaps by another reader: to be asked again.
    resident.forget();
    return proven;
  }

  private void verify(OpenPage open, int page) throws IOException {
    int length = layout.dataLength(page);
    int chunk = layout.chunkSize();
    int step = (SMALL + chunk - 1) / chunk * chunk;
    for (int from = 0; from < length; from += step) {
      int to = Math.min(length, from + step);
      copyVerified(open, page, from, to, sums.of(open, page, from, to)).close();
    }
  }

  /** The copy, and not what the file has a moment later, is what was verified. */
  private PageRange copyVerified(OpenPage open, int page, int from, int to, ByteBuffer checksums)
      throws IOException {
    ByteBuffer buffer = buffers.take(PageRange.HEAD + to - from);
    try {
      ByteBuffer data = buffer.slice(PageRange.HEAD, to - from);
      open.read(from, data);
      verifier.verify(data.flip(), checksums, page, from);
      return PageRange.inMemory(page, from, to, buffer, checksums, () -> buffers.give(buffer));
    } catch (IOException | RuntimeException e) {
      buffers.give(buffer);
      throw e;
    }
  }

  /** Tells whether data may be sent from a page's file as it is, for a range that was loaded so. */
  boolean maySend(OpenPage open, int page, int from, int to) {
    try {
      return isResident(open, page, from, to, verification == Verification.RESIDENT)
          && (verification == Verification.NEVER || resident.isProven());
    } catch (RuntimeException | Error e) {
      LOG.debug("Local cache: whether a page may be sent", e);
      return false;
    }
  }

  /** Tells whether data, and what its checksums are taken from, are in memory. */
  private boolean isResident(OpenPage open, int page, int from, int to, boolean proof) {
    return resident.covers(open, page, from, to, wantedInPage(page), proof);
  }

  private int wantedInPage(int page) {
    return (int) Math.max(0, Math.min(layout.dataLength(page), wantedTo - layout.start(page)));
  }

  private PageRange fetch(OpenPage open, int page, int from, int to) throws IOException {
    int chunk = layout.chunkSize();
    int wanted = Math.min(wantedInPage(page), from + FETCH);
    int end = wanted <= to ? to
        : Math.min((wanted + chunk - 1) / chunk * chunk, layout.dataLength(page));
    PageRange read = pages.await(
        block, Operation.PAGE_READ, new Reading(open.share(), page, from, end));
    if (end == to) {
      return read;
    }
    fetched = read;
    return read.part(layout, from, to);
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
      boolean verify = verification != Verification.NEVER;
      // Of its own: a reader that has given up may be gone when this is done.
      ByteBuffer buffer = ByteBuffer.allocate(PageRange.HEAD + to - from);
      ByteBuffer data = buffer.slice(PageRange.HEAD, to - from);
      open.read(from, data);
      ByteBuffer checksums = PageSums.read(open, block, page, from, verify);
      if (verify) {
        new ChunkVerifier(layout).verify(data.flip(), checksums, page, from);
      }
      return PageRange.inMemory(page, from, to, buffer, checksums, () -> { });
    }
  }

  @Override
  public void close() {
    fetched = null;
    sums.close();
    buffers.close();
  }
}
