/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.plugin.store.OpenPage;

/**
 * The checksums of the page that a reader is at, read at once with the trailer behind them. Another
 * page's file has data that matches its checksums, too, and what was true when the file was opened
 * is not proven for what the SSD returns later: the trailer says whose checksums these are. It does
 * so with a checksum of all of them, so all are read: an SSD may return some of what a file had
 * before, data and the checksums that match it, and the trailer of now.
 *
 * <p>Used by one thread.
 */
final class PageSums implements Closeable {

  private final CachedBlock block;
  private final PageLayout layout;
  private final boolean verified;
  private final BufferPool buffers;
  private OpenPage file;
  private int page;
  private int from;
  private ByteBuffer buffer;

  /** @param verified whether the trailer is to be compared */
  PageSums(CachedBlock block, boolean verified, BufferPool buffers) {
    this.block = block;
    this.layout = block.layout();
    this.verified = verified;
    this.buffers = buffers;
  }

  /**
   * Finds the checksums of some chunks. They are overwritten when another page is asked for.
   *
   * @param open the page's file, of which all from the first checksum on is in memory
   * @throws DamagedPageException if the file is not, or no longer, that of the page
   */
  ByteBuffer of(OpenPage open, int ofPage, int begin, int end) throws IOException {
    if (file != open || page != ofPage || from > begin) {
      read(open, ofPage, begin);
    }
    return buffer.slice(layout.checksumInFile(page, begin) - layout.checksumInFile(page, from),
        length(layout, begin, end));
  }

  private void read(OpenPage open, int ofPage, int begin) throws IOException {
    file = null;
    int first = verified ? 0 : begin;
    if (buffer == null) {
      // No page has more of them than the first.
      buffer = buffers.take(tailLength(layout, 0, 0));
    }
    buffer.clear().limit(tailLength(layout, ofPage, first));
    if (verified) {
      readAndCompare(open, block, ofPage, buffer);
    } else {
      open.read(layout.checksumInFile(ofPage, first), buffer);
    }
    page = ofPage;
    from = first;
    file = open;
  }

  /** @return bytes of checksums of some chunks. */
  static int length(PageLayout layout, int begin, int end) {
    int chunk = layout.chunkSize();
    return ((end + chunk - 1) / chunk - begin / chunk) * layout.checksumSize();
  }

  /** @return bytes of a page's file from the checksum of a chunk to the end. */
  static int tailLength(PageLayout layout, int page, int begin) {
    return layout.fileLength(page) - layout.checksumInFile(page, begin);
  }

  /**
   * Reads some checksums, for a reader that goes its own way.
   *
   * @param compare whether they are to be compared with the trailer
   * @return all from that of a chunk on, and perhaps the trailer
   * @throws DamagedPageException if they are to be compared, and are others
   */
  static ByteBuffer read(OpenPage open, CachedBlock block, int page, int begin, boolean compare)
      throws IOException {
    PageLayout layout = block.layout();
    if (!compare) {
      ByteBuffer sums = ByteBuffer.allocate(tailLength(layout, page, begin));
      open.read(layout.checksumInFile(page, begin), sums);
      return sums.flip();
    }
    ByteBuffer tail = ByteBuffer.allocate(tailLength(layout, page, 0));
    readAndCompare(open, block, page, tail);
    int before = layout.checksumInFile(page, begin) - layout.checksumInFile(page, 0);
    return tail.flip().position(before).slice();
  }

  private static void readAndCompare(OpenPage open, CachedBlock block, int page, ByteBuffer tail)
      throws IOException {
    PageLayout layout = block.layout();
    int length = tail.remaining();
    int first = tail.position();
    open.read(layout.checksumInFile(page, 0), tail);
    if (!PageTrailer.matchesWithChecksums(
        tail.slice(first, length), block.snapshot(), layout, page)) {
      throw new DamagedPageException("not page " + page + " of " + block + " any more", null);
    }
  }

  @Override
  public void close() {
    file = null;
    if (buffer != null) {
      buffers.give(buffer);
      buffer = null;
    }
  }
}
