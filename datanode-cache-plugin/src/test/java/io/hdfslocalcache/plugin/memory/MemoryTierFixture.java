/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.TestingPage;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;

/** A tier in a directory that is no tmpfs, and a block all of whose pages are on an SSD. */
public abstract class MemoryTierFixture {

  static final int PAGE = 4096;
  static final int FILE = 8192;
  static final int BLOCK_PAGES = 200;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  final BlockIndex index = new BlockIndex();
  final BufferPool buffers = new BufferPool(4 << 20);
  final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  Path root;
  Path directory;
  TestingReplica replica;
  CachedBlock block;
  MemoryTier tier;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    directory = folder.newFolder("memory").toPath().toRealPath();
    replica = TestingReplica.create(root, 1, BLOCK_PAGES * PAGE);
    block =
        index.register(replica.snapshot(), replica.layout(PAGE), TestingReplica.IDENTITY,
            TestingReplica.SSD).block();
    for (int page = 0; page < BLOCK_PAGES; page++) {
      index.pageAdded(block, new TestingPage(page, 1));
    }
    open(32, 1000);
  }

  void open(int pages, int files) {
    tier = new MemoryTier(
        new MemoryLimits(directory, (long) pages * FILE, files), PAGE, buffers, clock::get);
    tier.setOpen(true);
  }

  @After
  public void close() throws IOException {
    tier.close();
    assertEquals(0, tier.usedBytes());
    assertEquals(0, tier.pages());
    assertEquals(0, buffers.inUseBytes());
    assertEquals(List.of(), openFiles());
  }

  /** @return the files that this process has open there, all of which are deleted. */
  List<String> openFiles() throws IOException {
    return TestingSsd.openFilesBelow(directory);
  }

  boolean enter(int page) {
    return tier.enter(block, page, 1, replica.page(block.layout(), page));
  }

  boolean has(int page) throws IOException {
    try (PageBytes found = tier.find(block, page)) {
      return found != null;
    }
  }

  void assertRight(int page, PageBytes bytes) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(PAGE - 100);
    bytes.readData(100, data);
    assertEquals(ByteBuffer.wrap(replica.data(), page * PAGE + 100, PAGE - 100), data.flip());
    ByteBuffer sums = ByteBuffer.allocate(8);
    bytes.readChecksums(4, sums);
    assertEquals(ByteBuffer.wrap(replica.checksums(), page * PAGE / 128 + 4, 8), sums.flip());
  }

  void assertFreed() throws IOException {
    assertEquals(0, tier.usedBytes());
    assertEquals(List.of(), openFiles());
  }
}
