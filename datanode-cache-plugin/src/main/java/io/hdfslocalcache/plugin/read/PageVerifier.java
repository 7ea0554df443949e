/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.store.OpenPage;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.util.DataChecksum;

/**
 * Compares the data in a page file with its checksums before any of it is sent.
 *
 * <p>Only clients verify what a DataNode sends them. A client that finds a mismatch reports the
 * replica to the NameNode, which then deletes the replica on the data volume: a flipped bit on the
 * SSD would cost a good replica. Used by one thread.
 */
final class PageVerifier {

  private final PageLayout layout;
  private final DataChecksum summer;
  private byte[] data = new byte[0];
  private int verifiedPage = -1;
  private int verifiedFrom;
  private int verifiedTo;

  PageVerifier(PageLayout layout) {
    this.layout = layout;
    this.summer = layout.newChecksum();
  }

  /**
   * Verifies the chunks that some checksums of the page belong to.
   *
   * @param position where the checksums begin, among those of the page
   * @param checksums the checksums as they will be sent
   * @throws DamagedPageException if the data does not match
   * @throws IOException if the SSD fails
   */
  void verifyChecksums(OpenPage open, int page, int position, ByteBuffer checksums)
      throws IOException {
    int from = position / layout.checksumSize() * layout.chunkSize();
    int to = from + checksums.remaining() / layout.checksumSize() * layout.chunkSize();
    verify(open, page, from, Math.min(to, layout.dataLength(page)), checksums);
  }

  /**
   * Verifies the chunks that hold a range of the page's data, unless that was just done.
   *
   * @throws DamagedPageException if the data does not match
   * @throws IOException if the SSD fails
   */
  void verifyData(OpenPage open, int page, int position, int length) throws IOException {
    if (page == verifiedPage && position >= verifiedFrom && position + length <= verifiedTo) {
      return;
    }
    int chunk = layout.chunkSize();
    int first = position / chunk;
    int last = (position + length - 1) / chunk;
    ByteBuffer checksums = ByteBuffer.allocate((last - first + 1) * layout.checksumSize());
    open.read(layout.dataLength(page) + first * layout.checksumSize(), checksums);
    verify(open, page, first * chunk, Math.min((last + 1) * chunk, layout.dataLength(page)),
        checksums.flip());
  }

  private void verify(OpenPage open, int page, int from, int to, ByteBuffer checksums)
      throws IOException {
    if (data.length < to - from) {
      data = new byte[to - from];
    }
    ByteBuffer buffer = ByteBuffer.wrap(data, 0, to - from);
    open.read(from, buffer);
    try {
      summer.verifyChunkedSums(buffer.flip(), checksums, "page " + page, layout.start(page) + from);
    } catch (ChecksumException e) {
      throw new DamagedPageException("data does not match its checksums: " + e.getMessage(), e);
    }
    verifiedPage = page;
    verifiedFrom = from;
    verifiedTo = to;
  }
}
