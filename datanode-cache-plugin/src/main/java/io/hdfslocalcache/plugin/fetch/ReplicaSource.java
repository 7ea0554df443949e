/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;

/**
 * Reads parts of a page from its replica, and makes of them what is to be written to the page's file.
 * The data is one request to the volume.
 */
public final class ReplicaSource implements SliceSource {

  private final ReplicaFiles files;

  /** @param files open, and closed by whoever opened them */
  public ReplicaSource(ReplicaFiles files) {
    this.files = files;
  }

  /** @param slice whole parts */
  @Override
  public void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException {
    PageLayout layout = slice.layout();
    int page = slice.page();
    ByteBuffer data = slice.data(buffer);
    files.readData(layout.start(page) + slice.from(), data);
    // What was in the buffer before is not to be written.
    for (int i = slice.to(); i % PageLayout.ALIGNMENT != 0; i++) {
      buffer.put(i - slice.from(), (byte) 0);
    }
    for (int part = slice.firstPart(); part <= slice.lastPart(); part++) {
      files.readChecksums(
          layout.checksumStart(page) + (long) part * layout.partChecksums(),
          slice.tail(buffer, part).limit(layout.partChecksumLength(page, part)));
      slice.seal(buffer, part, block.snapshot());
    }
  }
}
