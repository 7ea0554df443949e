/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;

/**
 * The bytes of a page's file to read or write for some chunks of its data, and their places in a
 * buffer: the chunks, and behind them the tails of their parts, which are needed to verify them.
 * Both are aligned for direct I/O; if they are adjacent in the file, they are one request to the
 * device, as for a whole page.
 *
 * @param from first byte of the page's data, the beginning of a chunk
 * @param to byte of the page's data after the last, the end of a chunk
 */
public record PageSlice(PageLayout layout, int page, int from, int to) {

  /** Reads or writes a part of a page's file. */
  public interface File {
    /** Moves all bytes between the buffer and a position in the file. */
    void move(long position, ByteBuffer bytes) throws IOException;
  }

  /** @return all of a page. */
  public static PageSlice whole(PageLayout layout, int page) {
    return new PageSlice(layout, page, 0, layout.dataLength(page));
  }

  /** @return whole parts, from the first to the last. */
  public static PageSlice ofParts(PageLayout layout, int page, int first, int last) {
    return new PageSlice(layout, page, layout.partStart(first), layout.partEnd(page, last));
  }

  /** @return whether this is all of the page's data, so that the buffer holds its whole file. */
  public boolean isWhole() {
    return from == 0 && to == layout.dataLength(page);
  }

  /** @return whether these bytes of the page's data are in the slice. */
  public boolean covers(int begin, int end) {
    return from <= begin && end <= to;
  }

  /** @return the parts that the slice is in, a bit for each. */
  public int parts() {
    return layout.partsOf(from, to);
  }

  /** @return the first of its parts. */
  public int firstPart() {
    return layout.partOf(from);
  }

  /** @return the last of its parts. */
  public int lastPart() {
    return layout.partOf(to - 1);
  }

  private int dataBegin() {
    return PageLayout.alignedDown(from);
  }

  private int dataLength() {
    return PageLayout.alignedUp(to) - dataBegin();
  }

  private int tailsBegin() {
    return layout.tailPosition(page, firstPart());
  }

  private int tailsLength() {
    return layout.tailPosition(page, lastPart() + 1) - tailsBegin();
  }

  /** @return bytes that chunks and tails take in a buffer. */
  public int bufferLength() {
    return dataLength() + tailsLength();
  }

  /**
   * Moves chunks and tails between a buffer and the page's file.
   *
   * @param buffer of at least {@link #bufferLength} bytes, aligned for direct I/O
   */
  public void move(ByteBuffer buffer, File file) throws IOException {
    ByteBuffer all = buffer.duplicate().clear().limit(bufferLength());
    if (dataBegin() + dataLength() == tailsBegin()) {
      file.move(dataBegin(), all);
    } else {
      file.move(dataBegin(), all.slice(0, dataLength()));
      file.move(tailsBegin(), all.slice(dataLength(), tailsLength()));
    }
  }

  /** Does the same for some whole parts of this slice, with the buffer of this slice. */
  public void moveParts(int parts, ByteBuffer buffer, File file) throws IOException {
    if (parts == parts()) {
      move(buffer, file);
      return;
    }
    for (int part = firstPart(); part <= lastPart(); part++) {
      if ((parts >>> part & 1) != 0) {
        PageSlice one = ofParts(layout, page, part, part);
        file.move(one.dataBegin(),
            buffer.duplicate().clear().slice(one.from - dataBegin(), one.dataLength()));
        file.move(one.tailsBegin(), tail(buffer, part));
      }
    }
  }

  /** @return the chunks, in a buffer. */
  public ByteBuffer data(ByteBuffer buffer) {
    return buffer.duplicate().clear().slice(from - dataBegin(), to - from);
  }

  /** @return the tail of one of its parts, in a buffer. */
  public ByteBuffer tail(ByteBuffer buffer, int part) {
    return buffer.duplicate().clear().slice(
        dataLength() + (part - firstPart()) * layout.tailLength(), layout.tailLength());
  }

  /**
   * Completes the tail of a part in a buffer that has its checksums.
   *
   * @param of the block, for the trailer
   * @param name name of the block's pages
   */
  public void seal(ByteBuffer buffer, int part, ReplicaSnapshot of, String name) {
    PageTrailer.write(tail(buffer, part), of, name, layout, page, part);
  }

  /**
   * Verifies some parts, as far as they are in the slice.
   *
   * @param parts a bit for each
   * @param name name of the block's pages
   * @throws DamagedPageException if they are not parts of this page, or do not match their
   *     checksums
   */
  public void verify(ByteBuffer buffer, int parts, ReplicaSnapshot of, String name)
      throws DamagedPageException {
    ChunkVerifier verifier = new ChunkVerifier(layout);
    ByteBuffer data = data(buffer);
    for (int part = firstPart(); part <= lastPart(); part++) {
      if ((parts >>> part & 1) == 0) {
        continue;
      }
      ByteBuffer tail = tail(buffer, part);
      if (!PageTrailer.matches(tail, of, name, layout, page, part)) {
        throw new DamagedPageException(
            "not part " + part + " of page " + page + " of " + of, null);
      }
      int begin = Math.max(from, layout.partStart(part));
      int end = Math.min(to, layout.partEnd(page, part));
      int first = (begin - layout.partStart(part)) / layout.chunkSize() * layout.checksumSize();
      verifier.verify(data.slice(begin - from, end - begin), tail.position(first), page, begin);
    }
  }
}
