/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.invalidation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.SsdReport;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** The pages of blocks that have changed leave memory and SSD. */
public class TestRemovalsOfPages {

  private static final int PAGE = TestingSsd.PAGE;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private LocalCacheMetrics metrics;
  private TestingSsd ssd;
  private MemoryTier memory;
  private ReplicaChanges changes;

  @Before
  public void open() throws IOException {
    memory = new MemoryTier(new MemoryLimits(folder.newFolder("memory").toPath(), 1 << 20, 100),
        PAGE, new BufferPool(1 << 20), System::nanoTime);
    memory.setOpen(true);
    ssd = TestingSsd.open(folder.newFolder("ssd").toPath(), memory);
    metrics = ssd.metrics();
    changes = new ReplicaChanges(ssd.index(), ssd.directories(), memory, metrics);
  }

  @After
  public void close() {
    changes.close();
    ssd.close();
    memory.close();
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("local-cache-memory-invalidation")).count();
  }

  @Test
  public void open_withoutMemoryTier_startsNoThreadForIt() throws IOException {
    MemoryTier none = new MemoryTier(
        new MemoryLimits(folder.getRoot().toPath(), 0, 0), PAGE, new BufferPool(0),
        System::nanoTime);
    long before = threads();
    try (ReplicaChanges without =
        new ReplicaChanges(ssd.index(), ssd.directories(), none, metrics)) {
      without.remove(cache(1, 1), "a test");
      assertEquals(before, threads());
    }
  }

  private CachedBlock cache(long id, int pages) throws IOException {
    return ssd.cacheAll(TestingReplica.create(folder.getRoot().toPath(), id, pages * PAGE));
  }

  private void endRemovals() {
    changes.close();
    ssd.directories().endWork();
  }

  private void remove(CachedBlock block) {
    ssd.index().discard(block);
    changes.remove(block, "test");
  }

  /** Holds up the removals until the latch is counted down. */
  private CountDownLatch holdUp(CachedBlock block) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    new Thread(() -> {
      // Like a fill that is just publishing a page.
      block.adding().lock();
      held.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        block.adding().unlock();
      }
    }).start();
    held.await();
    return goOn;
  }

  @Test
  public void remove_blocks_removesTheirPagesAndNoOthers() throws IOException {
    CachedBlock kept = cache(3, 1);
    remove(cache(1, 3));
    remove(cache(2, 2));
    endRemovals();
    assertEquals(List.of(ssd.pageFile(kept, 0)), ssd.pageFiles());
    assertEquals(2, metrics.total(Event.INVALIDATED_BLOCKS));
    assertEquals(5, metrics.total(Event.INVALIDATED_PAGES));
    assertEquals(0, metrics.errors());
  }

  /** Otherwise its reader would look for the files where they no longer are. */
  @Test
  public void blockPoolRemoved_clearedWhileRead_readerIsToldWhereTheReplicaWent()
      throws IOException {
    CachedBlock block = cache(1, 1);
    assertTrue(block.addReader());
    changes.clear(block, "test");
    changes.blockPoolRemoved("BP-2", id -> snapshot -> null);
    assertNull("of another pool", block.movedReplica());
    ReplicaFiles.Opener gone = snapshot -> null;
    changes.blockPoolRemoved("BP-1", id -> gone);
    assertSame(gone, block.movedReplica());
    block.removeReader();
  }

  @Test
  public void remove_ssdHoldsUpItsRemovals_isGoneFromMemoryAllTheSame() throws Exception {
    CachedBlock first = cache(1, 1);
    TestingReplica replica = TestingReplica.create(folder.getRoot().toPath(), 2, 3 * PAGE);
    CachedBlock deleted = ssd.cacheAll(replica);
    for (int page = 0; page < 3; page++) {
      assertTrue(memory.enter(deleted, page, 1, replica.page(deleted.layout(), page)));
    }
    CountDownLatch goOn = holdUp(first);
    remove(first);
    remove(deleted);
    GenericTestUtils.waitFor(() -> memory.usedBytes() == 0, 10, 60_000);
    assertEquals("the SSD has done nothing yet", 4, ssd.pageFiles().size());
    assertFalse(changes.isIdle());
    goOn.countDown();
    endRemovals();
    assertEquals(List.of(), ssd.pageFiles());
  }

  @Test
  public void remove_ssdFailsToDelete_isReportedUntilItIsDone() throws Exception {
    CachedBlock block = cache(1, 3);
    Path file = ssd.pageFile(block, 1);
    Files.delete(file);
    Path inTheWay = Files.createDirectories(file.resolve("in-the-way"));
    ssd.mayFail();
    remove(block);
    GenericTestUtils.waitFor(changes::isIdle, 10, 60_000);
    assertEquals(1, ssd.directory().undeletedFiles());
    GenericTestUtils.waitFor(() -> changes.waitingMillis() > 0, 10, 60_000);
    SsdReport report = ssd.directories().reports().get(0);
    assertEquals(SsdState.NORMAL, report.state());
    assertTrue(report.reason(),
        report.reason().startsWith("files of removed pages that could not be deleted: 1, "));

    Files.delete(inTheWay);
    CachedBlock alive = cache(2, 1);
    ssd.deleteAgain();
    assertTrue("pages may still be there that are not restored yet", Files.exists(file));
    ssd.directory().restored().begin((event, number) -> { });
    ssd.directory().restored().end();
    ssd.deleteAgain();
    assertFalse(Files.exists(file.getParent()));
    assertEquals(List.of(ssd.pageFile(alive, 0)), ssd.pageFiles());
    assertEquals(0, changes.waitingMillis());
    assertEquals("", ssd.directories().reports().get(0).reason());
  }
}
