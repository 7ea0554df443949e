/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.plugin.ssd.file.BlockScan;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.file.PageTree;
import io.hdfslocalcache.plugin.ssd.mount.SsdHome;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** A disk that fails is not taken for an empty one. */
public class TestFailingDisk {

  private static final String BLOCK = "BP-1-127.0.0.1-1_blk_1_1001_1.lfls.1";

  private final LoggedFileSystem files = new LoggedFileSystem();
  private final PagePaths paths = new PagePaths(files.getPath("/ssd/dn"), 4096);
  private Path page;

  @Before
  public void create() throws IOException {
    Path block = paths.block(BLOCK);
    Files.createDirectories(block);
    page = Files.createFile(block.resolve("0"));
  }

  @After
  public void close() throws IOException {
    files.close();
  }

  /** Fails the next call on a path. */
  private void failOnceAt(Path path) {
    boolean[] hasFailed = new boolean[1];
    files.setFaults((call, at) -> {
      if (at.equals(path) && !hasFailed[0]) {
        hasFailed[0] = true;
        throw new IOException("Input/output error");
      }
    });
  }

  private List<String> scan() throws IOException {
    return BlockScan.newestFirst(paths.pages(), List.of(), false, () -> {
      throw new AssertionError("deleted");
    });
  }

  @Test
  public void scan_failsAtABucket_deletesNothing() throws IOException {
    failOnceAt(paths.block(BLOCK).getParent());
    assertThrows(IOException.class, this::scan);
    assertTrue(Files.exists(page));
    assertEquals(List.of(BLOCK), scan());
  }

  @Test
  public void enter_failsAtAnyCallOfTheVersionFile_keepsThePages() throws IOException {
    Path ssd = files.getPath("/ssd");
    SsdHome.enter(ssd, "dn", 4096, true).close();
    Files.createDirectories(page.getParent());
    Files.createFile(page);
    int failed = 0;
    for (boolean isEntered = false; !isEntered; failed++) {
      int[] left = {failed};
      files.setFaults((call, at) -> {
        if (at.endsWith("VERSION") && call == LoggedFileSystem.Call.READ && left[0]-- == 0) {
          throw new IOException("Input/output error");
        }
      });
      try {
        SsdHome.enter(ssd, "dn", 4096, true).close();
        isEntered = left[0] >= 0;
      } catch (IOException e) {
        assertEquals("Input/output error", e.getMessage());
      }
      files.setFaults((call, at) -> { });
      assertTrue("after failure " + failed, Files.exists(page));
    }
    assertTrue(failed + " calls", failed > 2);
  }

  /** What an earlier life has not closed when it ends must not lock the directories of a later one. */
  @Test
  public void enter_sameDirectoryOfAnotherFileSystemIsLocked_isFree() throws IOException {
    try (SsdHome first = SsdHome.enter(files.getPath("/ssd"), "dn", 4096, true);
        LoggedFileSystem others = new LoggedFileSystem()) {
      Path ssd = Files.createDirectory(others.getPath("/ssd"));
      SsdHome.enter(ssd, "dn", 4096, true).close();
      assertThrows(IOException.class,
          () -> SsdHome.enter(files.getPath("/ssd"), "dn", 4096, true));
    }
  }

  @Test
  public void delete_failsAtTheDirectory_isNoSuccess() throws IOException {
    failOnceAt(paths.pages());
    assertThrows(IOException.class, () -> PageTree.delete(paths.pages()));
    PageTree.delete(paths.pages());
    assertTrue(Files.notExists(page));
  }

  @Test
  public void hasPages_failsAtAPart_isNotNo() throws IOException {
    failOnceAt(files.getPath("/ssd/dn/LOCAL"));
    assertThrows(IOException.class, () -> PageTree.hasPages(files.getPath("/ssd")));
    assertTrue(PageTree.hasPages(files.getPath("/ssd")));
  }
}
