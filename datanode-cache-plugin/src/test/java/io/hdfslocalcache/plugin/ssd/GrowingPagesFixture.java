/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** An SSD with room for sixteen times the data of a page, pages of eight parts, and replicas. */
public abstract class GrowingPagesFixture {

  static final int PAGE = 1 << 20;
  static final int PART = PAGE / 8;
  static final int CAPACITY = 16 * PAGE;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  final List<TestingReplica> replicas = new ArrayList<>();
  final List<CachedBlock> blocks = new ArrayList<>();
  long capacity = CAPACITY;
  Path root;
  TestingSsd ssd;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    openSsd();
  }

  void openSsd() throws IOException {
    ssd = TestingSsd.open(root.resolve("ssd"), Map.of(
        LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE),
        LocalCacheKeys.CAPACITY, String.valueOf(capacity)));
  }

  @After
  public void close() {
    ssd.close();
  }

  /** @return a block that is in the index. */
  CachedBlock block(int length) throws IOException {
    TestingReplica replica = TestingReplica.create(root, replicas.size(), length);
    replicas.add(replica);
    CachedBlock block = ssd.register(replica);
    blocks.add(block);
    return block;
  }

  boolean cache(CachedBlock block, int page, int first, int last) throws IOException {
    return ssd.cacheParts(replicaOf(block), block, page, first, last);
  }

  TestingReplica replicaOf(CachedBlock block) {
    return replicas.get((int) block.snapshot().key().blockId());
  }

  byte[] file(CachedBlock block, int page) throws IOException {
    return Files.readAllBytes(ssd.pageFile(block, page));
  }

  /** Asserts that just these parts of a page are there, and are right. */
  void assertParts(CachedBlock block, int page, int parts) throws IOException {
    PageLayout layout = block.layout();
    assertEquals("page " + page, Integer.toBinaryString(parts),
        Integer.toBinaryString(block.parts(page)));
    byte[] file = file(block, page);
    assertEquals(layout.fileLength(page, parts), file.length);
    PageSlice whole = PageSlice.whole(layout, page);
    ByteBuffer expected = replicaOf(block).page(layout, page);
    whole.verify(ssd.read(block, page), parts, block.snapshot(), block.fileId());
    whole.moveParts(parts, expected, (position, bytes) ->
        assertEquals("at " + position, bytes, ByteBuffer.wrap(
            file, (int) position, bytes.remaining())));
  }

  /** Asserts that the accounts match the files. */
  void assertBooksBalance() throws IOException {
    long space = 0;
    int pages = 0;
    for (CachedBlock block : blocks) {
      for (int page = 0; page < block.layout().pages(); page++) {
        if (block.parts(page) != 0) {
          pages++;
          space += block.layout().space(page, block.parts(page));
          assertParts(block, page, block.parts(page));
        }
      }
    }
    assertEquals(pages, new HashSet<>(ssd.pageFiles()).size());
    assertEquals(pages, ssd.directory().pages().count());
    assertEquals(space, ssd.directory().usedBytes());
    assertEquals(List.of(), ssd.temporaryFiles());
  }
}
