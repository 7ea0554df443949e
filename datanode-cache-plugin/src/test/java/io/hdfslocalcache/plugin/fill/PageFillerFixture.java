/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Before;

/** A replica of four pages and a bit, an SSD, and a filler that copies pages to it. */
public abstract class PageFillerFixture extends FillFixture {

  static final int PAGE = TestingSsd.PAGE;
  /** Checksums of a full page. */
  static final int SUMS = PAGE / 512 * 4;

  BufferPool buffers = new BufferPool(1 << 20);
  PageFiller filler;
  /** What happens while a fill waits for its pace. */
  volatile LongConsumer pace = bytes -> { };

  /** How long a write takes before it is charged. */
  volatile long writeNanos;

  @Override
  protected void writing(long bytes) {
    LockSupport.parkNanos(writeNanos);
    super.writing(bytes);
  }

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    ssd = TestingSsd.open(root.resolve("ssd"));
    use(TestingReplica.create(root, 1, 4 * PAGE + 700));
  }

  @After
  public void close() throws IOException {
    assertEquals("temporary files are left", List.of(), Files.exists(ssd.temporary())
        ? ssd.temporaryFiles() : List.of());
    assertEquals("the replica stays open", replica.opens(), replica.closes());
    assertEquals("buffers are kept", 0, buffers.inUseBytes());
    ssd.close();
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
  }

  void use(TestingReplica newReplica) {
    use(newReplica, PAGE);
  }

  void use(TestingReplica newReplica, int pageSize) {
    replica = newReplica;
    replicas = new TestingReplicas(replica);
    filler = new PageFiller(
        pageSize, replicas, ssd.index(), metrics, buffers, admission(),
        bytes -> pace.accept(bytes), newWriter());
  }

  /** An operator orders the block. */
  void fill() {
    List<Integer> before = List.copyOf(asked);
    filler.fill(FillRequest.order(volume, replica.snapshot(), null));
    awaitWritten();
    assertEquals("an operator's order is not asked about", before, asked);
  }

  /** A reader has missed some bytes. */
  void fillMissed(int from, int to) {
    filler.fill(FillRequest.missed(volume, replica.snapshot(), null, from, to));
    awaitWritten();
  }

  private void awaitWritten() {
    LocalCacheCluster.await("written", () -> ssd.directory().writes().waitingBytes() == 0);
  }

  void assertCached(int... pages) throws IOException {
    CachedBlock block = ssd.index().find(replica.snapshot());
    assertEquals(pages.length, block.pages());
    assertEquals(pages.length, ssd.pageFiles().size());
    for (int page : pages) {
      assertEquals("page " + page, replica.page(block.layout(), page), ssd.read(block, page));
    }
  }

  void assertNothingCached() throws IOException {
    assertEquals(List.of(), ssd.pageFiles());
    assertEquals(0, ssd.index().blocks());
    assertEquals(0, ssd.index().pages());
  }

  void assertOnlyError(Operation operation, ErrorCause cause) {
    assertEquals(1, metrics.errors(operation, cause));
    assertEquals(1, metrics.errors());
  }
}
