/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.health.SsdTimeoutException;
import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.store.NoBufferException;
import io.hdfslocalcache.plugin.store.PageNotReadException;
import io.hdfslocalcache.plugin.store.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.util.DataChecksum;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** An SSD with one thread, so that a test can hold it. */
public class TestPageFetches {

  private static final int PAGE = 256 << 10;
  private static final int UNIT = 64 << 10;
  private static final int LENGTH = 2 * PAGE + 100_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(120);

  private final BufferPool buffers = new BufferPool(8 << 20);
  private final CountDownLatch released = new CountDownLatch(1);
  private final Map<String, String> settings = new HashMap<>(Map.of(
      LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE), LocalCacheKeys.IO_THREADS, "1"));
  private Path root;
  private TestingSsd ssd;
  private TestingReplica replica;
  private CachedBlock block;
  private MemoryTier memory;
  private PageFetches fetches;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    start(TestingReplica.CRC32C);
  }

  private void start(DataChecksum checksum) throws IOException {
    replica = TestingReplica.create(root,
        new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, LENGTH), checksum);
    ssd = TestingSsd.open(root.resolve("ssd"), settings);
    block = ssd.cacheAll(replica);
    memory = new MemoryTier(new MemoryLimits(root, 4 << 20, 100), PAGE, buffers, System::nanoTime);
    ssd.whenRemoved(memory::remove);
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

  private void awaitNoBuffers() {
    LocalCacheCluster.await("buffers are given back", () -> buffers.inUseBytes() == 0);
  }

  private PageBytes get(int page, int from, int to) throws IOException {
    return fetches.get(ssd.directory(), block, page, from, to, to);
  }

  private PageBytes getAll(int page) throws IOException {
    return get(page, 0, block.layout().dataLength(page));
  }

  private void assertRight(PageBytes bytes, int page, int from, int to) throws IOException {
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
  private void holdTheSsd() {
    ssd.directory().io().begin(Operation.PAGE_READ, () -> {
      try {
        return released.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    });
  }

  private record Reader(Thread thread, FutureTask<PageBytes> result) {
  }

  /** @return a reader that waits for a page. */
  private Reader reader(int page, int from, int to) {
    FutureTask<PageBytes> result = new FutureTask<>(() -> get(page, from, to));
    Thread thread = new Thread(result);
    thread.start();
    LocalCacheCluster.await("the reader waits",
        () -> thread.getState() == Thread.State.TIMED_WAITING);
    return new Reader(thread, result);
  }

  private List<Reader> readers(int number) {
    List<Reader> readers = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      readers.add(reader(0, 0, PAGE));
    }
    return readers;
  }

  @Test
  public void get_manyReadersOfTheSamePage_areOneRead() throws Exception {
    holdTheSsd();
    List<Reader> readers = readers(20);
    released.countDown();
    PageBytes first = readers.get(0).result().get();
    long oneBuffer = buffers.inUseBytes();
    for (Reader reader : readers) {
      assertSame(first, reader.result().get());
    }
    assertEquals(oneBuffer, buffers.inUseBytes());
    assertTrue("room for one page", oneBuffer < 2 * PAGE);
    for (Reader reader : readers) {
      assertRight(reader.result().get(), 0, 0, PAGE);
      reader.result().get().close();
    }
    assertEquals(0, buffers.inUseBytes());
  }

  @Test
  public void get_laterReader_isAReadOfItsOwn() throws Exception {
    try (PageBytes first = getAll(0); PageBytes second = getAll(0)) {
      assertNotSame(first, second);
    }
  }

  @Test
  public void get_someReadersGiveUp_othersGetTheirBytes() throws Exception {
    holdTheSsd();
    List<Reader> readers = readers(6);
    // Also the one that has begun the read.
    for (int i = 0; i < 6; i += 2) {
      Reader reader = readers.get(i);
      reader.thread().interrupt();
      ExecutionException e = assertThrows(ExecutionException.class, reader.result()::get);
      assertEquals(SsdUnavailableException.class, e.getCause().getClass());
    }
    released.countDown();
    for (int i = 1; i < 6; i += 2) {
      try (PageBytes bytes = readers.get(i).result().get()) {
        assertRight(bytes, 0, 0, PAGE);
      }
    }
    assertEquals(0, buffers.inUseBytes());
  }

  @Test
  public void get_allReadersGiveUp_nothingIsReadAndTheNextReadIsGood() throws Exception {
    holdTheSsd();
    for (Reader reader : readers(3)) {
      reader.thread().interrupt();
      assertThrows(ExecutionException.class, reader.result()::get);
    }
    Files.delete(ssd.pageFile(block, 0));
    released.countDown();
    try (PageBytes bytes = getAll(1)) {
      assertRight(bytes, 1, 0, PAGE);
    }
    assertEquals(SsdState.NORMAL, ssd.directory().io().health().state());
    assertThrows(DamagedPageException.class, () -> getAll(0));
  }

  @Test
  public void get_readHangs_givesUpAndTheBufferComesBackWithTheSsd() throws Exception {
    ssd.close();
    settings.put(LocalCacheKeys.IO_DEADLINE, "200ms");
    start(TestingReplica.CRC32C);
    Path page = ssd.pageFile(block, 0);
    Files.delete(page);
    assertTrue(new ProcessBuilder("mkfifo", page.toString()).start().waitFor(10, TimeUnit.SECONDS));
    assertThrows(SsdTimeoutException.class, () -> getAll(0));
    assertEquals(SsdState.DOWN, ssd.directory().io().health().state());
    assertTrue("the thread that hangs may yet write there", buffers.inUseBytes() > PAGE);
    assertThrows(SsdUnavailableException.class, () -> getAll(1));
    // Opened for both, a pipe waits for nobody, and whoever waits for it gets its end.
    Process writer = new ProcessBuilder("sh", "-c", "exec 3<>'" + page + "'; sleep 1").start();
    try (OutputStream unused = writer.getOutputStream()) {
      assertTrue(writer.waitFor(10, TimeUnit.SECONDS));
    }
    awaitNoBuffers();
    assertEquals(0, ssd.directory().io().activeThreads());
  }

  @Test
  public void get_smallRange_readsOneUnitOfIt() throws Exception {
    try (PageBytes bytes = get(0, UNIT + 1000, UNIT + 1001)) {
      assertTrue(bytes.covers(UNIT, 2 * UNIT));
      assertFalse(bytes.covers(UNIT - 1, UNIT));
      assertFalse(bytes.covers(2 * UNIT, 2 * UNIT + 1));
      assertRight(bytes, 0, UNIT + 512, UNIT + 1024);
      assertTrue(String.valueOf(buffers.inUseBytes()), buffers.inUseBytes() <= 2 * UNIT);
    }
  }

  @Test
  public void get_readerWantsMore_isReadAtOnce() throws Exception {
    try (PageBytes bytes = fetches.get(ssd.directory(), block, 0, 0, 512, 3 * UNIT)) {
      assertTrue(bytes.covers(0, 3 * UNIT));
      assertFalse(bytes.covers(0, PAGE));
    }
  }

  @Test
  public void get_runningReadHasLess_isAReadOfItsOwn() throws Exception {
    holdTheSsd();
    Reader small = reader(0, 0, 512);
    Reader all = reader(0, 0, PAGE);
    Reader inBoth = reader(0, 100, 1000);
    released.countDown();
    assertFalse(small.result().get().covers(0, PAGE));
    assertSame(all.result().get(), inBoth.result().get());
    for (Reader reader : List.of(small, all, inBoth)) {
      assertRight(reader.result().get(), 0, 512, 1000);
      reader.result().get().close();
    }
  }

  @Test
  public void get_randomRangesAndChunks_rightDataAndChecksums() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int chunk : new int[] {512, 1000, 4096}) {
      ssd.close();
      start(DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, chunk));
      for (int i = 0; i < 100; i++) {
        int page = random.nextInt(block.layout().pages());
        int chunks = (block.layout().dataLength(page) + chunk - 1) / chunk;
        int first = random.nextInt(chunks);
        int to = Math.min(block.layout().dataLength(page),
            (first + 1 + random.nextInt(chunks - first)) * chunk);
        try (PageBytes bytes = get(page, first * chunk, to)) {
          assertTrue(bytes.covers(first * chunk, to));
          assertRight(bytes, page, first * chunk, to);
        }
      }
    }
  }

  @Test
  public void get_pageThatIsNotThere_isNotRead() throws Exception {
    ssd.directory().removePage(block.fileId(), 0);
    assertThrows(PageNotReadException.class, () -> getAll(0));
  }

  @Test
  public void get_allBuffersInUse_isNotRead() {
    fetches = new PageFetches(new BufferPool(PAGE), memory);
    assertThrows(NoBufferException.class, () -> getAll(0));
  }

  @Test
  public void get_wholePageAgain_movesIntoMemory() throws Exception {
    memory.setOpen(true);
    getAll(0).close();
    getAll(1).close();
    assertNull(memory.find(block, 0));
    getAll(0).close();
    LocalCacheCluster.await("the page is in memory", () -> memory.pages() == 1);
    try (PageBytes bytes = memory.find(block, 0)) {
      assertRight(bytes, 0, 0, PAGE);
    }
    awaitNoBuffers();
  }

  @Test
  public void get_smallRangesOfAPage_moveAllOfItIntoMemoryAfterAFew() throws Exception {
    memory.setOpen(true);
    get(0, 0, 512).close();
    get(0, 2 * UNIT, 2 * UNIT + 512).close();
    assertEquals(0, memory.pages());
    get(0, UNIT, UNIT + 512).close();
    LocalCacheCluster.await("the page is in memory", () -> memory.pages() == 1);
    try (PageBytes bytes = memory.find(block, 0)) {
      assertRight(bytes, 0, 0, PAGE);
    }
    awaitNoBuffers();
  }

  @Test
  public void get_pageIsDamagedWhereNobodyReads_doesNotMove() throws Exception {
    memory.setOpen(true);
    try (FileChannel file =
        FileChannel.open(ssd.pageFile(block, 0), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), PAGE - 10);
    }
    for (int i = 0; i < 3; i++) {
      get(0, 0, 512).close();
    }
    // Behind whatever the readers have left to be done.
    getAll(1).close();
    assertEquals(0, memory.pages());
    assertEquals(0, buffers.inUseBytes());
  }

  @Test
  public void get_offMeanwhile_doesNotMove() throws Exception {
    memory.setOpen(true);
    getAll(0).close();
    holdTheSsd();
    Reader reader = reader(0, 0, PAGE);
    memory.setOpen(false);
    released.countDown();
    reader.result().get().close();
    getAll(1).close();
    assertEquals(0, memory.usedBytes());
    assertEquals(0, buffers.inUseBytes());
  }
}
