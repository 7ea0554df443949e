/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** While a page of a stream is sent, the next is read. */
public class TestReadAhead {

  private static final int PAGE = TestingSsd.PAGE;
  private static final int PAGES = 6;
  /** Bytes of a page in a buffer. */
  private static final int BUFFER = PAGE + 4096;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(120);

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private BufferPool buffers = new BufferPool(100 * BUFFER);
  private TestingSsd ssd;
  private TestingReplica replica;
  private CachedBlock block;
  private MemoryTier memory;

  @Before
  public void open() throws IOException {
    Path root = folder.getRoot().toPath().toRealPath();
    ssd = TestingSsd.open(root.resolve("ssd"));
    replica = TestingReplica.create(root, 1, PAGES * PAGE);
    block = ssd.cacheAll(replica);
    memory = new MemoryTier(new MemoryLimits(root, 0, 1), PAGE, buffers, System::nanoTime);
  }

  @After
  public void close() throws IOException {
    awaitBuffers(0);
    ssd.close();
  }

  private SnapshotReader newReader() {
    return new SnapshotReader(block, new CachedPages(() -> true, memory,
        new PageFetches(buffers, memory), metrics),
        new TestingPageSource.NoVisits(block), replica);
  }

  private void awaitBuffers(int pages) {
    LocalCacheCluster.await(pages + " pages in buffers, not " + buffers.inUseBytes(),
        () -> buffers.inUseBytes() == (long) pages * BUFFER);
  }

  private void assertNext(SnapshotReader reader, int from, int length) throws IOException {
    byte[] data = new byte[length];
    reader.readData(data, 0, length);
    assertArrayEquals(Arrays.copyOfRange(replica.data(), from, from + length), data);
  }

  @Test
  public void stream_secondPageBegins_thirdIsRead() throws IOException {
    try (SnapshotReader reader = newReader()) {
      reader.askedFor(0, PAGES * PAGE);
      reader.seek(0);
      assertNext(reader, 0, 512);
      awaitBuffers(1);
      assertNext(reader, 512, PAGE);
      awaitBuffers(2);
      for (int at = PAGE + 512; at < (PAGES - 1) * PAGE; at += PAGE) {
        assertNext(reader, at, PAGE - 512);
        assertNext(reader, at + PAGE - 512, 512);
      }
      awaitBuffers(1);
      assertEquals((PAGES - 1) * PAGE + 512, reader.bytesFromPages());
    }
    assertEquals(0, replica.opens());
  }

  @Test
  public void stream_clientLeaves_buffersAreGivenBack() throws IOException {
    try (SnapshotReader reader = newReader()) {
      reader.askedFor(0, PAGES * PAGE);
      reader.seek(0);
      assertNext(reader, 0, PAGE + 512);
      awaitBuffers(2);
    }
    awaitBuffers(0);
  }

  @Test
  public void stream_clientWantsNoMore_nothingIsReadAhead() throws IOException {
    try (SnapshotReader reader = newReader()) {
      reader.askedFor(0, 2 * PAGE);
      reader.seek(0);
      assertNext(reader, 0, 2 * PAGE - 512);
      awaitBuffers(1);
    }
  }

  @Test
  public void stream_othersNeedTheBuffers_nothingIsReadAhead() throws IOException {
    buffers = new BufferPool(2 * BUFFER);
    try (SnapshotReader reader = newReader()) {
      reader.askedFor(0, PAGES * PAGE);
      reader.seek(0);
      assertNext(reader, 0, 2 * PAGE - 512);
      assertEquals(BUFFER, buffers.inUseBytes());
    }
  }

  @Test
  public void stream_nextPageHasLeft_goesOnWithTheReplica() throws IOException {
    try (SnapshotReader reader = newReader()) {
      reader.askedFor(0, PAGES * PAGE);
      reader.seek(0);
      assertNext(reader, 0, PAGE + 512);
      awaitBuffers(2);
      block.remove(block.page(2));
      assertNext(reader, PAGE + 512, PAGE);
      assertEquals(1, replica.opens());
      awaitBuffers(0);
    }
  }
}
