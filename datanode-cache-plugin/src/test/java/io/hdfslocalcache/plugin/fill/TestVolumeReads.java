/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.mockito.Mockito;

/** Bytes of a replica lead to the same pages however busy its volume is. */
public class TestVolumeReads {

  private static final int PAGE = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;

  @Before
  public void create() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
  }

  private TestingReplica replica(long id, int length, int chunk) throws IOException {
    return TestingReplica.create(root, new ReplicaSnapshot(new BlockKey("BP-1", id), 1001, length),
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, chunk));
  }

  private static CachedBlock block(TestingReplica replica) {
    return new BlockIndex()
        .register(replica.snapshot(), replica.layout(PAGE), TestingReplica.IDENTITY,
            TestingReplica.SSD).block();
  }

  private static ByteBuffer read(TestingReplica replica, CachedBlock block, PageSlice slice,
      boolean isBusy) throws IOException {
    ByteBuffer buffer = TestingReplica.aligned(slice.bufferLength());
    new Random(7).ints(slice.bufferLength(), 0, 256)
        .forEach(value -> buffer.put((byte) value));
    buffer.clear();
    try (ReplicaFiles files = replica.open()) {
      Volume volume = new Volume(System::nanoTime);
      for (int i = 0; i < 100; i++) {
        volume.took(1, isBusy ? 200_000_000 : 0);
      }
      volume.read(block, slice, buffer, files, true);
    }
    slice.verify(buffer, slice.parts(), block.snapshot(), block.fileId());
    return buffer;
  }

  @Test
  public void read_failsAtOnce_theDiskIsNotTakenForMemory() throws IOException {
    TestingReplica replica = replica(1, PAGE, 512);
    CachedBlock block = block(replica);
    PageSlice slice = PageSlice.ofParts(block.layout(), 0, 0, 0);
    Volume volume = new Volume(() -> 0);
    ReplicaFiles broken = Mockito.mock(ReplicaFiles.class);
    Mockito.doThrow(new IOException("Input/output error")).when(broken)
        .readData(Mockito.anyLong(), Mockito.any());
    for (int i = 0; i < 100; i++) {
      assertThrows(IOException.class, () -> volume.read(
          block, slice, TestingReplica.aligned(slice.bufferLength()), broken, false));
    }
    assertEquals(Volume.IDLE_NANOS, volume.waitNanos());
  }

  @Test
  public void read_busyOrNot_sameBytes() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int[] chunks = {512, 1000, 4096, 64};
    for (int i = 0; i < 40; i++) {
      TestingReplica replica =
          replica(i, 1 + random.nextInt(3 * PAGE), chunks[i % chunks.length]);
      CachedBlock block = block(replica);
      PageLayout layout = block.layout();
      int page = random.nextInt(layout.pages());
      int first = random.nextInt(layout.parts(page));
      int last = first + random.nextInt(layout.parts(page) - first);
      PageSlice slice = PageSlice.ofParts(layout, page, first, last);
      assertEquals("seed " + seed + ", " + slice,
          read(replica, block, slice, false), read(replica, block, slice, true));
      replica.delete();
    }
  }

  @Test
  public void read_notBusy_readsTheChecksumsOfItsParts() throws IOException {
    TestingReplica replica = replica(1, 20 << 20, 512);
    CachedBlock block = block(replica);
    read(replica, block, PageSlice.ofParts(block.layout(), 3, 2, 2), false);
    assertEquals(128 << 10, replica.dataRead());
    assertEquals((128 << 10) / 128, replica.checksumsRead());
  }

  @Test
  public void read_busy_readsThoseThatTheNextReadsWillWant() throws IOException {
    TestingReplica replica = replica(1, 20 << 20, 512);
    CachedBlock block = block(replica);
    read(replica, block, PageSlice.ofParts(block.layout(), 3, 2, 2), true);
    assertEquals(128 << 10, replica.dataRead());
    assertEquals(64 << 10, replica.checksumsRead());
    read(replica, block, PageSlice.ofParts(block.layout(), 19, 7, 7), true);
    assertEquals("the last are fewer", (64 << 10) + (32 << 10), replica.checksumsRead());
  }
}
