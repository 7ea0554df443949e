/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.util.DataChecksum;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Pages on an SSD with one thread, so that a test can hold it. */
public abstract class PageFetchesFixture {

  static final int PAGE = 256 << 10;
  static final int UNIT = 64 << 10;
  static final int LENGTH = 2 * PAGE + 100_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(120);

  final BufferPool buffers = new BufferPool(8 << 20);
  final CountDownLatch released = new CountDownLatch(1);
  Path root;
  TestingSsd ssd;
  TestingReplica replica;
  CachedBlock block;
  MemoryTier memory;
  PageFetches fetches;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    start(TestingReplica.CRC32C);
  }

  void start(DataChecksum checksum) throws IOException {
    replica = TestingReplica.create(root,
        new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, LENGTH), checksum);
    memory = new MemoryTier(new MemoryLimits(root, 4 << 20, 100), PAGE, buffers, System::nanoTime);
    ssd = TestingSsd.open(root.resolve("ssd"), Map.of(
        LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE), TestingConfig.IO_THREADS, "1"), memory);
    block = ssd.cacheAll(replica);
    fetches = new PageFetches(buffers, memory);
  }

  @After
  public void close() throws IOException {
    released.countDown();
    awaitNoBuffers();
    memory.close();
    ssd.close();
    assertEquals(0, memory.usedBytes());
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
  }

  void awaitNoBuffers() {
    LocalCacheCluster.await("buffers are given back", () -> buffers.inUseBytes() == 0);
  }

  PageBytes get(int page, int from, int to) throws IOException {
    return fetches.await(
        fetches.begin(ssd.directory(), block, page, from, to, to), from, to, Budgets.ample());
  }

  PageBytes getAll(int page) throws IOException {
    return get(page, 0, block.layout().dataLength(page));
  }

  void assertRight(PageBytes bytes, int page, int from, int to) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(to - from);
    bytes.readData(from, data);
    int start = (int) block.layout().start(page);
    assertEquals(ByteBuffer.wrap(replica.data(), start + from, to - from), data.flip());
    int chunk = block.layout().chunkSize();
    int size = block.layout().checksumSize();
    int first = from / chunk * size;
    ByteBuffer sums = ByteBuffer.allocate((to + chunk - 1) / chunk * size - first);
    bytes.readChecksums(first, sums);
    assertEquals(ByteBuffer.wrap(replica.checksums(),
        (int) block.layout().checksumStart(page) + first, sums.capacity()), sums.flip());
  }

  /** The only thread of the SSD is busy until the test releases it. */
  void holdTheSsd() {
    ssd.directory().io().begin(Operation.PAGE_READ, this::awaitRelease);
  }

  boolean awaitRelease() {
    try {
      return released.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  record Reader(Thread thread, FutureTask<PageBytes> result) {
  }

  /** @return a reader that waits for a page. */
  Reader reader(int page, int from, int to) {
    return reader(() -> get(page, from, to));
  }

  Reader reader(Callable<PageBytes> read) {
    FutureTask<PageBytes> result = new FutureTask<>(read);
    Thread thread = new Thread(result);
    thread.start();
    LocalCacheCluster.await("the reader waits",
        () -> thread.getState() == Thread.State.TIMED_WAITING);
    return new Reader(thread, result);
  }

  List<Reader> readers(int number) {
    List<Reader> readers = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      readers.add(reader(0, 0, PAGE));
    }
    return readers;
  }
}
