/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Files that cannot be deleted: non-empty directories in the place of pages. */
public class TestPageFiles {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final PageId stuck = new PageId("block", 0);
  private final PageId free = new PageId("block", 1);
  private PageFiles files;

  @Before
  public void deleteWhatCannotBe() throws Exception {
    Files.createDirectory(folder.getRoot().toPath().resolve(PagePaths.TEMPORARY));
    files = new PageFiles(new PagePaths(folder.getRoot().toPath(), 4096), id -> { }, () -> { },
        (operation, error) -> failures.incrementAndGet(), clock::get, false);
    for (PageId id : new PageId[] {stuck, free}) {
      Files.createDirectories(inTheWay(id));
      files.delete(id);
    }
    assertEquals(2, failures.get());
  }

  @After
  public void close() {
    files.close();
  }

  private Path inTheWay(PageId id) {
    return files.paths().file(id).resolve("in-the-way");
  }

  private void deleteAgain() {
    files.deleteAgain(new ReentrantLock(), id -> false, () -> true);
  }

  @Test
  public void deleteAgain_failsManyTimes_deletedOnceItCanBe() throws Exception {
    for (int i = 0; i < 5; i++) {
      deleteAgain();
    }
    assertEquals("one report each time", 2 + 5, failures.get());
    assertEquals(2, files.undeletedFiles());
    clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
    assertEquals(60_000, files.undeletedMillis());
    Files.delete(inTheWay(stuck));
    Files.delete(inTheWay(free));
    deleteAgain();
    assertFalse(Files.exists(files.paths().block("block")));
    assertEquals(0, files.undeletedFiles());
    assertEquals(0, files.undeletedMillis());
    deleteAgain();
    assertEquals(2 + 5, failures.get());
  }

  /** As if its file system had been unmounted for a moment. */
  @Test
  public void deleteAgain_allIsGoneMeanwhile_goesOnWhenItIsBack() throws Exception {
    Files.delete(inTheWay(stuck));
    Files.delete(inTheWay(free));
    Path pages = files.paths().pages().getParent();
    Path away = Files.move(pages, folder.getRoot().toPath().resolve("away"));
    deleteAgain();
    assertTrue("nothing is forgotten", files.undeletedFiles() > 0);
    Files.move(away, pages);
    deleteAgain();
    assertFalse(Files.exists(files.paths().block("block")));
    assertEquals(0, files.undeletedFiles());
  }

  @Test
  public void deleteAgain_veryMany_noneIsForgotten() throws Exception {
    int many = 10_100;
    for (int page = 2; page < many; page++) {
      PageId id = new PageId("block", page);
      Files.createDirectories(inTheWay(id));
      files.delete(id);
    }
    assertEquals(many, files.undeletedFiles());
    for (int page = 0; page < many; page++) {
      Files.delete(inTheWay(new PageId("block", page)));
    }
    deleteAgain();
    assertFalse(Files.exists(files.paths().block("block")));
    assertEquals(0, files.undeletedFiles());
  }

  @Test
  public void deleteAgain_pageHasComeBack_stays() throws Exception {
    Files.delete(inTheWay(free));
    PageSlice slice = PageSlice.whole(PageLayout.usual(4096, 1), 0);
    files.prepare(free, slice, TestingReplica.aligned(slice.bufferLength()));
    files.deleteAgain(new ReentrantLock(), id -> true, () -> true);
    assertTrue(Files.exists(files.paths().file(free)));
    try (var temporary = Files.list(files.paths().temporary())) {
      assertEquals("what is about to be published stays", 1, temporary.count());
    }
    files.discard(free);
  }

  @Test
  public void prepare_fileCannotBeRemembered_leavesNone() throws Exception {
    PageSlice slice = PageSlice.whole(PageLayout.usual(4096, 1), 0);
    assertThrows(NullPointerException.class,
        () -> files.prepare(null, slice, TestingReplica.aligned(slice.bufferLength())));
    try (var temporary = Files.list(files.paths().temporary())) {
      assertEquals(0, temporary.count());
    }
  }

  @Test
  public void deleteAgain_unfinishedFileOfAnother_isDeletedAndNothingElse() throws Exception {
    Path left = files.paths().temporary().resolve("4711");
    Path probe = files.paths().temporary().resolve("probe");
    Files.createFile(left);
    Files.createFile(probe);
    deleteAgain();
    assertFalse(Files.exists(left));
    assertTrue(Files.exists(probe));
  }

  @Test
  public void deleteAgain_toldToStop_goesOnTheNextTime() throws Exception {
    Files.delete(inTheWay(stuck));
    Files.delete(inTheWay(free));
    files.deleteAgain(new ReentrantLock(), id -> false, () -> false);
    assertEquals(2, files.undeletedFiles());
    deleteAgain();
    assertEquals(0, files.undeletedFiles());
  }

  @Test
  public void deleteAgain_tookLong_waitsAHundredTimesAsLong() throws Exception {
    files.deleteAgain(new ReentrantLock(), id -> false, () -> {
      clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
      return true;
    });
    int before = failures.get();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
    deleteAgain();
    assertEquals("too early", before, failures.get());
    clock.addAndGet(TimeUnit.SECONDS.toNanos(1000));
    deleteAgain();
    assertEquals(before + 1, failures.get());
  }
}
