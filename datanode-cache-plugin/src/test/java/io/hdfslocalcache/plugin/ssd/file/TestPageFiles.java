/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
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

/** Files that cannot be deleted: directories, with something in them, in the place of pages. */
public class TestPageFiles {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final AtomicInteger failures = new AtomicInteger();
  private final PageId stuck = new PageId("block", 0);
  private final PageId free = new PageId("block", 1);
  private PageFiles files;

  @Before
  public void deleteWhatCannotBe() throws Exception {
    Files.createDirectory(folder.getRoot().toPath().resolve(PagePaths.TEMPORARY));
    files = new PageFiles(new PagePaths(folder.getRoot().toPath(), 4096), id -> { }, () -> { },
        (operation, error) -> failures.incrementAndGet());
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
    files.deleteAgain(new ReentrantLock(), id -> false);
  }

  @Test
  public void deleteAgain_failsManyTimes_deletedOnceItCanBe() throws Exception {
    for (int i = 0; i < 5; i++) {
      deleteAgain();
    }
    assertEquals("one attempt each time", 2 + 5, failures.get());
    Files.delete(inTheWay(stuck));
    Files.delete(inTheWay(free));
    deleteAgain();
    assertFalse(Files.exists(files.paths().block("block")));
    deleteAgain();
    assertEquals(2 + 5, failures.get());
  }

  @Test
  public void deleteAgain_oneIsStuckForEver_theOthersAreDeleted() throws Exception {
    Files.delete(inTheWay(free));
    deleteAgain();
    deleteAgain();
    assertFalse(Files.exists(files.paths().file(free)));
    assertTrue(Files.exists(files.paths().file(stuck)));
  }

  @Test
  public void deleteAgain_pageHasComeBack_stays() throws Exception {
    Files.delete(inTheWay(free));
    PageSlice slice = PageSlice.whole(PageLayout.usual(4096, 1), 0);
    files.prepare(free, slice, TestingReplica.aligned(slice.bufferLength()));
    files.deleteAgain(new ReentrantLock(), id -> true);
    assertTrue(Files.exists(files.paths().file(free)));
    files.discard(free);
  }
}
