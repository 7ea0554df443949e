/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Which bytes of a page's file are read for some chunks of its data, and where they are in a
 * buffer: the chunks themselves, and the end of the file with all checksums and the trailer, for
 * only together they show that the chunks are what they should be. Both parts are aligned for
 * direct I/O; if they touch they are one, so that a whole page is one request to the device.
 *
 * @param from first byte of the page's data, the beginning of a chunk
 * @param to byte of the page's data after the last, the end of a chunk
 */
public record PageSlice(PageLayout layout, int page, int from, int to) {

  /** Reads a part of a page's file. */
  public interface Reader {
    /** Fills the buffer from a position in the file. */
    void read(long position, ByteBuffer target) throws IOException;
  }

  /** @return all of a page. */
  public static PageSlice whole(PageLayout layout, int page) {
    return new PageSlice(layout, page, 0, layout.dataLength(page));
  }

  /** @return whether this is all of the page's data, so that the buffer holds its whole file. */
  public boolean isWhole() {
    return from == 0 && to == layout.dataLength(page);
  }

  /** @return whether these bytes of the page's data are in the slice. */
  public boolean covers(int begin, int end) {
    return from <= begin && end <= to;
  }

  private int dataBegin() {
    return PageLayout.alignedDown(from);
  }

  /** Where the first part ends: with the file, if the second one begins before. */
  private int dataEnd() {
    int end = PageLayout.alignedUp(to);
    return end >= tailBegin() ? layout.fileLength(page) : end;
  }

  private int tailBegin() {
    return PageLayout.alignedDown(layout.dataLength(page));
  }

  private boolean isOnePart() {
    return dataEnd() == layout.fileLength(page);
  }

  /** @return bytes that both parts take in a buffer. */
  public int bufferLength() {
    return dataEnd() - dataBegin() + (isOnePart() ? 0 : layout.fileLength(page) - tailBegin());
  }

  /**
   * Reads both parts, one behind the other.
   *
   * @param buffer of {@link #bufferLength} bytes, aligned for direct I/O
   */
  public void readInto(ByteBuffer buffer, Reader file) throws IOException {
    int first = dataEnd() - dataBegin();
    file.read(dataBegin(), buffer.duplicate().limit(first));
    if (!isOnePart()) {
      file.read(tailBegin(), buffer.duplicate().limit(bufferLength()).position(first));
    }
  }

  /** @return the chunks, in a buffer that was read into. */
  public ByteBuffer data(ByteBuffer buffer) {
    return buffer.slice(from - dataBegin(), to - from);
  }

  /** @return the file from its first checksum to its end, in a buffer that was read into. */
  public ByteBuffer tail(ByteBuffer buffer) {
    int data = layout.dataLength(page);
    int index = isOnePart() ? data - dataBegin() : dataEnd() - dataBegin() + data - tailBegin();
    return buffer.slice(index, layout.fileLength(page) - data);
  }
}
