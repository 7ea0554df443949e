/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.DataChecksum.Type;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The origin that a page's file states, for pages of all sizes that can be configured. */
public class TestPageOrigin {

  private static final int[] PAGE_SIZES = {64 << 10, 1 << 20, 8 << 20};
  /** HDFS's default is 512. With fewer, the checksums of a part fill many blocks. */
  private static final int[] CHUNKS = {16, 64, 512, 65536};

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path file(PageSlice slice, int part, ReplicaSnapshot snapshot, String name)
      throws IOException {
    Path file = folder.newFile().toPath();
    ByteBuffer buffer = TestingReplica.aligned(slice.bufferLength());
    slice.seal(buffer, part, snapshot, name);
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      slice.moveParts(1 << part, buffer, (position, bytes) -> out.write(bytes, position));
      int length = slice.layout().fileLength(slice.page(), 1 << part);
      if (out.size() < length) {
        out.write(ByteBuffer.allocate(1), length - 1);
      }
    }
    return file;
  }

  @Test
  public void read_anyOnePart_isFound() throws IOException {
    for (int pageSize : PAGE_SIZES) {
      for (int chunk : CHUNKS) {
        ReplicaSnapshot snapshot =
            new ReplicaSnapshot(new BlockKey("BP-1", 7), 1001, 2L * pageSize);
        String name = TestingReplica.IDENTITY.fileId(snapshot);
        PageLayout layout = new PageLayout(
            pageSize, DataChecksum.newDataChecksum(Type.CRC32C, chunk), snapshot.length());
        PageOrigin expected = new PageOrigin(snapshot, layout);
        for (int part = 0; part < layout.parts(1); part++) {
          Path file = file(PageSlice.ofParts(layout, 1, part, part), part, snapshot, name);
          assertEquals(pageSize + " bytes, part " + part + ", chunks of " + chunk, expected,
              PageOrigin.read(file, new PageId(name, 1), pageSize));
          assertNull("another page", PageOrigin.read(file, new PageId(name, 0), pageSize));
        }
      }
    }
  }

  @Test
  public void read_pageOfAnotherReplicaUnderThisName_isNoPage() throws IOException {
    int pageSize = PAGE_SIZES[0];
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey("BP-1", 7), 1001, pageSize);
    PageLayout layout = PageLayout.usual(pageSize, snapshot.length());
    Path file = file(PageSlice.whole(layout, 0), 0, snapshot, "BP-1_blk_7_1001_1.2.3");
    assertNull(PageOrigin.read(file, new PageId("BP-1_blk_7_1001_1.2.4", 0), pageSize));
    assertNull(PageOrigin.read(file, new PageId("BP-1_blk_7_1001", 0), pageSize));
  }
}
