/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageSlice;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestSsdDirectory {

  private static final int PAGE = TestingSsd.PAGE;
  /** A page with checksums and trailer takes two blocks of the file system. */
  private static final int PAGE_TAKES = 2 * 4096;
  private static final int CAPACITY_PAGES = 8;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;
  private TestingSsd ssd;

  @Before
  public void open() throws IOException {
    root = folder.newFolder("ssd").toPath().toRealPath();
    ssd = TestingSsd.open(root, CAPACITY_PAGES * PAGE_TAKES);
  }

  @After
  public void close() {
    ssd.close();
  }

  private TestingReplica replica(long id, int length) throws IOException {
    return TestingReplica.create(folder.getRoot().toPath(), id, length);
  }

  private void assertPage(TestingReplica replica, CachedBlock block, int number)
      throws IOException {
    assertEquals("page " + number, replica.page(block.layout(), number), ssd.read(block, number));
    assertEquals(block.layout().fileLength(number), Files.size(ssd.pageFile(block, number)));
  }

  private void assertNotThere(CachedBlock block, int number) {
    assertThrows(PageNotReadException.class, () -> ssd.read(block, number));
  }

  @Test
  public void read_preparedButNotPublished_isNotThere() throws IOException {
    TestingReplica replica = replica(1, PAGE);
    CachedBlock block = ssd.register(replica);
    ssd.directory().pages().prepare(
        block, PageSlice.whole(block.layout(), 0), replica.page(block.layout(), 0));
    assertNotThere(block, 0);
    assertEquals(1, ssd.temporaryFiles().size());
    ssd.directory().pages().discard(block, 0);
    assertEquals(List.of(), ssd.temporaryFiles());
  }

  @Test
  public void read_whileAnotherPagesFileIsBeingDeleted_doesNotWaitForThat() throws Exception {
    ssd.close();
    ssd = TestingSsd.open(root);
    // More pages than Alluxio has locks: one at least shares the lock of the evicted page.
    int pages = 1100;
    TestingReplica replica = replica(1, pages * PAGE);
    CachedBlock block = ssd.cacheAll(replica);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ssd.whenEvicted(() -> {
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    CompletableFuture<Boolean> eviction =
        CompletableFuture.supplyAsync(ssd.directory().pages()::evictOne);
    try {
      begun.await();
      CompletableFuture.runAsync(() -> {
        for (int page = 1; page < pages; page++) {
          try {
            ssd.read(block, page);
          } catch (IOException e) {
            throw new UncheckedIOException("page " + page, e);
          }
        }
      }).get(30, TimeUnit.SECONDS);
    } finally {
      end.countDown();
    }
    assertTrue(eviction.get());
    assertNotThere(block, 0);
  }

  @Test
  public void report_spaceForLessThanAPage_saysThatThereIsNone() {
    assertEquals("", SsdReport.of(ssd.directory(), false).noSpace());
    ssd.directory().setCapacity(PAGE);
    SsdReport full = SsdReport.of(ssd.directory(), false);
    assertEquals("other files leave no space on the SSD", full.noSpace());
    assertEquals("in the same words", full.noSpace(), full.reason());
    assertEquals("drained: nobody wants space", "",
        SsdReport.of(ssd.directory(), true).noSpace());
  }

  @Test
  public void descriptors_manyPagesUsed_noneIsKept() throws IOException {
    ssd.close();
    ssd = TestingSsd.open(root);
    TestingReplica replica = replica(1, 50 * PAGE);
    CachedBlock block = ssd.cacheAll(replica);
    int beforeUse = TestingSsd.openFilesBelow(root).size();
    for (int page = 0; page < 50; page++) {
      assertPage(replica, block, page);
    }
    assertEquals(beforeUse, TestingSsd.openFilesBelow(root).size());
    ssd.close();
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
  }
}
