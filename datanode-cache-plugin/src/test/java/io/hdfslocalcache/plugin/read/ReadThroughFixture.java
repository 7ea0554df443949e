/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.fill.FillFixture;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.fill.Fills;
import io.hdfslocalcache.plugin.fill.PageWriter;
import io.hdfslocalcache.plugin.fill.TestingReplicas;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Before;

/** A replica of two pages of four parts and a bit, and readers who miss parts of it. */
public abstract class ReadThroughFixture extends FillFixture {

  static final int PAGE = 512 << 10;
  static final int PART = PAGE / 4;
  static final int LENGTH = 2 * PAGE + 200_000;

  final List<ReadThrough.MissedParts> reads = new ArrayList<>();
  volatile Runnable beforeWrite = () -> { };
  final List<FillRequest> requests = new CopyOnWriteArrayList<>();
  BufferPool buffers = new BufferPool(8 << 20);
  volatile long budgetNanos = TimeUnit.MINUTES.toNanos(2);
  CachedBlock block;
  PageFetches fetches;
  PageWriter writer;
  Fills fills;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    ssd = TestingSsd.open(
        root.resolve("ssd"), Map.of(LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE)));
    replica = TestingReplica.create(root, 1, LENGTH);
    replicas = new TestingReplicas(replica);
    block = ssd.register(replica);
    writer = newWriter();
    start();
  }

  /** Starts again with other buffers. */
  void start(BufferPool newBuffers) throws IOException {
    buffers = newBuffers;
    start();
  }

  private void start() throws IOException {
    fetches = new PageFetches(buffers,
        new MemoryTier(new MemoryLimits(root, 0, 1), PAGE, buffers, System::nanoTime));
    fills = new Fills(TestingSsd.config(64 << 20, root.resolve("ssd")),
        requests::add, metrics);
  }

  @After
  public void close() throws IOException {
    reads.forEach(ReadThrough.MissedParts::close);
    volume.close();
    fills.close();
    ssd.directories().endWork();
    awaitNoBuffers();
    assertEquals(List.of(), ssd.temporaryFiles());
    assertEquals("the replica stays open", replica.opens(), replica.closes());
    ssd.close();
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
  }

  void awaitNoBuffers() {
    LocalCacheCluster.await("buffers are given back", () -> buffers.inUseBytes() == 0);
  }

  void awaitWritten() {
    LocalCacheCluster.await("written", () -> fills.isIdle()
        && ssd.directory().writes().waitingBytes() == 0);
    awaitNoBuffers();
  }

  ReadThrough readThrough() {
    return new ReadThrough(replicas, fetches, fills, writer, admission(), key -> volume,
        metrics, budgetNanos);
  }

  synchronized ReadThrough.MissedParts newRead() {
    ReadThrough.MissedParts read = readThrough().new MissedParts(block, null);
    reads.add(read);
    return read;
  }

  PageBytes get(ReadThrough.MissedParts read, int page, int from, int to) {
    return read.get(page, from, to, to);
  }

  /** Gets bytes, which have to be there and right. @return where they are from */
  PageBytes.Origin getRight(ReadThrough.MissedParts read, int page, int from, int to) throws IOException {
    try (PageBytes bytes = get(read, page, from, to)) {
      assertNotNull(bytes);
      assertRight(bytes, page, from, to);
      return bytes.origin();
    }
  }

  void assertRight(PageBytes bytes, int page, int from, int to) throws IOException {
    PageLayout layout = block.layout();
    ByteBuffer data = ByteBuffer.allocate(to - from);
    bytes.readData(from, data);
    assertEquals(ByteBuffer.wrap(replica.data(), (int) layout.start(page) + from, to - from),
        data.flip());
    int first = from / 512 * 4;
    ByteBuffer sums = ByteBuffer.allocate((to + 511) / 512 * 4 - first);
    bytes.readChecksums(first, sums);
    assertEquals(ByteBuffer.wrap(replica.checksums(),
        (int) layout.checksumStart(page) + first, sums.capacity()), sums.flip());
  }

  /** Just these parts of a page are cached, and are right. */
  void assertCached(int page, int parts) throws IOException {
    assertEquals(Integer.toBinaryString(parts), Integer.toBinaryString(block.parts(page)));
    if (parts != 0) {
      PageSlice.whole(block.layout(), page)
          .verify(ssd.read(block, page), parts, block.snapshot(), block.fileId());
    }
  }

  void assertNothingCached() throws IOException {
    awaitWritten();
    assertEquals(List.of(), ssd.pageFiles());
    assertEquals(0, ssd.index().pages());
  }

  @Override
  protected void writing(long bytes) {
    beforeWrite.run();
    super.writing(bytes);
  }
}
