/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A replica of four pages and a bit, some of which are cached, and a reader of it. */
public abstract class SnapshotReaderFixture {

  static final int PAGE = TestingSsd.PAGE;
  static final int LENGTH = 4 * PAGE + 700;
  /** Bytes of the checksums of a full page. */
  static final int SUMS = PAGE / 512 * 4;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  Path root;
  TestingSsd ssd;
  TestingReplica replica;
  BufferPool buffers;
  MemoryTier memory;
  TestingPageSource pages;
  CachedBlock block;
  SnapshotReader reader;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    replica = TestingReplica.create(root, 1, LENGTH);
    buffers = new BufferPool(1 << 20);
    memory = new MemoryTier(new MemoryLimits(root, inMemory() ? 1 << 20 : 0, 100), PAGE, buffers,
        System::nanoTime);
    memory.setOpen(true);
    ssd = TestingSsd.open(root.resolve("ssd"), memory);
    pages = new TestingPageSource(ssd.directory(), memory, new PageFetches(buffers, memory));
  }

  @After
  public void close() throws IOException {
    reader.close();
    reader.close();
    assertEquals("the replica stays open", replica.opens(), replica.closes());
    memory.close();
    // A thread of the SSD's may still be about to move a page into memory.
    LocalCacheCluster.await("buffers are given back", () -> buffers.inUseBytes() == 0);
    assertEquals(0, memory.usedBytes());
    ssd.close();
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
  }

  /** @return whether pages are in memory from the beginning; else they never are. */
  boolean inMemory() {
    return false;
  }

  /** Caches these pages, and begins to read. */
  void cache(int... numbers) throws IOException {
    block = ssd.cache(replica, numbers);
    for (int page : numbers) {
      if (inMemory()) {
        assertTrue(memory.enter(block, page, 1, replica.page(block.layout(), page)));
      }
    }
    reader = newReader();
  }

  SnapshotReader newReader() {
    return new SnapshotReader(block, pages, new TestingPageSource.NoVisits(block), replica);
  }

  /** Another client comes. */
  void nextReader() {
    reader.close();
    reader = newReader();
  }

  void assertData(int from, int length) throws IOException {
    reader.seek(from);
    assertNextData(from, length);
  }

  void assertNextData(int from, int length) throws IOException {
    byte[] buffer = new byte[length + 2];
    reader.readData(buffer, 1, length);
    assertArrayEquals("from " + from, Arrays.copyOfRange(replica.data(), from, from + length),
        Arrays.copyOfRange(buffer, 1, length + 1));
    assertEquals("written outside the target", 0, buffer[0] | buffer[length + 1]);
  }

  void assertNextChecksums(int from, int length) throws IOException {
    byte[] buffer = new byte[length + 2];
    reader.readChecksums(buffer, 1, length);
    assertArrayEquals("from " + from,
        Arrays.copyOfRange(replica.checksums(), from, from + length),
        Arrays.copyOfRange(buffer, 1, length + 1));
    assertEquals("written outside the target", 0, buffer[0] | buffer[length + 1]);
  }

  /** Truncates a page's file. */
  void truncate(int page, int length) throws IOException {
    try (FileChannel file =
        FileChannel.open(ssd.pageFile(block, page), StandardOpenOption.WRITE)) {
      file.truncate(length);
    }
  }
}
