/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.fill.Volume;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.util.DataChecksum;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Reads of a block whose pages have only some of their parts. */
public class TestPartsOfPages {

  private static final int PAGE = 512 << 10;
  private static final int PART = PAGE / 4;
  private static final int PACKET = 64 << 10;
  private static final int LENGTH = 3 * PAGE + 200_001;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final BufferPool buffers = new BufferPool(8 << 20);
  private Path root;
  private TestingSsd ssd;
  private TestingReplica replica;
  private CachedBlock block;
  private TestingPageSource pages;
  private PageFetches fetches;
  private MemoryTier memory;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    ssd = TestingSsd.open(
        root.resolve("ssd"), Map.of(LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE)));
    memory = new MemoryTier(new MemoryLimits(root, 0, 1), PAGE, buffers, System::nanoTime);
    fetches = new PageFetches(buffers, memory);
    pages = new TestingPageSource(ssd.directory(), memory, fetches);
    use(TestingReplica.CRC32C, 1);
  }

  private void use(DataChecksum checksum, long id) throws IOException {
    replica = TestingReplica.create(
        root, new ReplicaSnapshot(new BlockKey("BP-1", id), 1001, LENGTH), checksum);
    block = ssd.register(replica);
  }

  @After
  public void close() throws IOException {
    assertEquals("the replica stays open", replica.opens(), replica.closes());
    LocalCacheCluster.await("buffers are given back", () -> buffers.inUseBytes() == 0);
    memory.close();
    ssd.close();
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
  }

  private SnapshotReader reader(ReadThrough.MissedParts missed) {
    return new SnapshotReader(block, pages, missed, replica);
  }

  private void cache(int page, int parts) throws IOException {
    for (int part = 0; part < block.layout().parts(page); part++) {
      if ((parts >>> part & 1) != 0) {
        assertTrue(ssd.cacheParts(replica, block, page, part, part));
      }
    }
  }

  private void assertData(SnapshotReader reader, int from, int length) throws IOException {
    byte[] data = new byte[length];
    reader.readData(data, 0, length);
    assertArrayEquals("from " + from,
        Arrays.copyOfRange(replica.data(), from, from + length), data);
  }

  private void assertChecksums(SnapshotReader reader, int from, int length) throws IOException {
    int chunk = block.layout().chunkSize();
    int begin = from / chunk * 4;
    int n = (from + length + chunk - 1) / chunk * 4 - begin;
    byte[] sums = new byte[n];
    reader.readChecksums(sums, 0, n);
    assertArrayEquals("of " + from,
        Arrays.copyOfRange(replica.checksums(), begin, begin + n), sums);
  }

  @Test
  public void readData_someParts_onlyTheOthersComeFromTheReplica() throws IOException {
    cache(0, 0b0101);
    cache(1, 0b1111);
    try (SnapshotReader reader = reader(new TestingPageSource.NoVisits(block))) {
      reader.seek(0);
      for (int at = 0; at < 2 * PAGE; at += PACKET) {
        assertData(reader, at, PACKET);
      }
      assertEquals(2 * PART, replica.dataRead());
      assertEquals(2 * PAGE - 2 * PART, reader.bytesFromPages());
      assertEquals(2 * PART, reader.bytesFromReplica());
    }
  }

  @Test
  public void readData_randomPartsAndReads_sameBytesAsTheReplica() throws IOException {
    readRandomly(false, TestingReplica.CRC32C);
  }

  @Test
  public void readData_randomPartsAndReadsAndMissedPartsAreFetched_sameBytesAsTheReplica()
      throws IOException {
    readRandomly(true, TestingReplica.CRC32C);
  }

  @Test
  public void readData_chunksThatDoNotFit_sameBytesAsTheReplica() throws IOException {
    for (int chunk : new int[] {700, 1000, 4096, 65_536}) {
      use(DataChecksum.newDataChecksum(DataChecksum.Type.CRC32, chunk), chunk);
      readRandomly(chunk % 1000 == 0, replica.layout(PAGE).newChecksum());
      assertEquals("the replica stays open", replica.opens(), replica.closes());
    }
  }

  private void readRandomly(boolean fetch, DataChecksum checksum) throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed + ", " + checksum);
    Random random = new Random(seed);
    PageLayout layout = block.layout();
    for (int page = 0; page < layout.pages(); page++) {
      cache(page, random.nextInt(layout.allParts(page) + 1));
    }
    for (int i = 0; i < 40; i++) {
      try (SnapshotReader reader = reader(fetch ? new Fetching() : new TestingPageSource.NoVisits(block))) {
        readOnce(reader, random);
      }
      if (random.nextInt(4) == 0) {
        cache(random.nextInt(layout.pages()));
      }
    }
    assertEquals(List.of(), pages.failures());
  }

  /** Caches one part more. */
  private void cache(int page) throws IOException {
    int missing = block.layout().allParts(page) & ~block.parts(page);
    cache(page, Integer.lowestOneBit(missing));
  }

  private void readOnce(SnapshotReader reader, Random random) throws IOException {
    int chunk = block.layout().chunkSize();
    int from = random.nextInt(LENGTH) / chunk * chunk;
    int to = from + random.nextInt(LENGTH - from) + 1;
    reader.askedFor(from, to);
    reader.seek(from);
    boolean withChecksums = random.nextBoolean();
    int packet = Math.max(chunk, (1 + random.nextInt(600)) * 512 / chunk * chunk);
    for (int at = from; at < to; at += packet) {
      int n = Math.min(packet, to - at);
      if (withChecksums) {
        assertChecksums(reader, at, n);
      }
      assertData(reader, at, n);
    }
    assertEquals(to - from, reader.bytesFromPages() + reader.bytesFromReplica());
  }

  /** Reads from the replica, and caches nothing. */
  private record Visit(ReplicaFiles files) implements PageFetches.Visit {

    @Override
    public void read(CachedBlock of, PageSlice slice, ByteBuffer buffer) throws IOException {
      new Volume(System::nanoTime).read(of, slice, buffer, files, false);
    }

    @Override
    public void done(PageSlice slice, ByteBuffer buffer, Runnable end) {
      end.run();
    }

    @Override
    public void failed(Throwable why) {
      throw new AssertionError(why);
    }
  }

  /** Reads missed parts from the replica. */
  private final class Fetching extends TestingPageSource.NoVisits {
    private ReplicaFiles files;

    Fetching() {
      super(block);
    }

    @Override
    public PageBytes get(int page, int from, int to, int wanted) {
      try {
        files = files == null ? replica.open() : files;
        PageLayout layout = block.layout();
        return fetches.readThrough(block, PageSlice.ofParts(layout, page, layout.partOf(from),
            layout.partOf(to - 1)), from, to, wanted, Budgets.ample(),
            new Visit(files), Runnable::run);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      if (files != null) {
        files.close();
      }
    }
  }
}
