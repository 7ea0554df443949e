/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;

/**
 * Reads parts of a page from its replica, in the format of the page's file. Data and checksums are
 * one request each to the volume.
 */
public final class ReplicaSource {

  /**
   * Bytes of checksums to read at a time from a busy volume: those of 8 MiB of data with HDFS's
   * defaults. The next reads of the block find theirs in the OS page cache, where its data would
   * not fit. Without this, nearly every small read of a block costs the disk two seeks.
   */
  private static final int CHECKSUMS_AT_ONCE = 64 << 10;

  private final ReplicaFiles files;
  private final boolean isBusy;

  /**
   * @param files open files, closed by the caller
   * @param isBusy whether others wait for the volume
   */
  public ReplicaSource(ReplicaFiles files, boolean isBusy) {
    this.files = files;
    this.isBusy = isBusy;
  }

  /**
   * Reads data and checksums, and completes the tails.
   *
   * @param slice whole parts
   * @param buffer of the slice
   * @throws IOException if the replica cannot be read
   */
  public void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException {
    PageLayout layout = slice.layout();
    files.readData(layout.start(slice.page()) + slice.from(), slice.data(buffer));
    readChecksums(layout, slice, buffer);
    // Old bytes of the buffer must not be written.
    for (int i = slice.to(); i % PageLayout.ALIGNMENT != 0; i++) {
      buffer.put(i - slice.from(), (byte) 0);
    }
    for (int part = slice.firstPart(); part <= slice.lastPart(); part++) {
      slice.seal(buffer, part, block.snapshot(), block.fileId());
    }
  }

  private void readChecksums(PageLayout layout, PageSlice slice, ByteBuffer buffer)
      throws IOException {
    int page = slice.page();
    int first = slice.firstPart();
    long begin = layout.checksumStart(page) + (long) first * layout.partChecksums();
    long end = layout.checksumStart(page) + (long) slice.lastPart() * layout.partChecksums()
        + layout.partChecksumLength(page, slice.lastPart());
    long from = isBusy ? begin / CHECKSUMS_AT_ONCE * CHECKSUMS_AT_ONCE : begin;
    long to = isBusy ? Math.min(layout.checksums(),
        (end + CHECKSUMS_AT_ONCE - 1) / CHECKSUMS_AT_ONCE * CHECKSUMS_AT_ONCE) : end;
    ByteBuffer checksums = ByteBuffer.allocate((int) (to - from));
    files.readChecksums(from, checksums);
    for (int part = first; part <= slice.lastPart(); part++) {
      slice.tail(buffer, part).put(checksums.array(),
          (int) (begin - from) + (part - first) * layout.partChecksums(),
          layout.partChecksumLength(page, part));
    }
  }
}
