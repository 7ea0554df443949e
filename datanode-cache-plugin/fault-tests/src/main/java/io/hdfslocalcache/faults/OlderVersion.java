/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockFileId;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.util.DataChecksum;

/** A page as it was under the block's last generation stamp: other bytes, and right in itself. */
final class OlderVersion {

  private OlderVersion() {
  }

  /**
   * @param file the page's file
   * @param page what is in it; a full page
   */
  static byte[] of(Path file, byte[] page) throws IOException {
    PageTrailer.Origin origin = PageTrailer.read(
        ByteBuffer.wrap(page, page.length - PageTrailer.LENGTH, PageTrailer.LENGTH));
    if (origin == null) {
      throw new IOException("not a page: " + file);
    }
    String pool = BlockFileId.blockOf(file.getParent().getFileName().toString()).blockPoolId();
    ReplicaSnapshot before = new ReplicaSnapshot(new BlockKey(pool, origin.blockId()),
        origin.generationStamp() - 1, origin.blockLength());
    PageLayout layout =
        new PageLayout(LocalCacheCluster.PAGE, origin.checksum(), origin.blockLength());
    int number = Integer.parseInt(file.getFileName().toString());
    byte[] older = LocalCacheCluster.bytes(Arrays.hashCode(page), page.length);
    DataChecksum checksum = layout.newChecksum();
    checksum.calculateChunkedSums(
        older, 0, LocalCacheCluster.PAGE, older, LocalCacheCluster.PAGE);
    PageTrailer.write(ByteBuffer.wrap(older, LocalCacheCluster.PAGE, layout.tailLength()).slice(),
        before, layout, number, 0);
    return older;
  }
}
