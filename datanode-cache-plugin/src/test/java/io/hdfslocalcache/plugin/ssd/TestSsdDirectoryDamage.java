/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Page files that are not what they were, as far as the store finds out; what is in them is looked
 * at by whoever has them read.
 */
public class TestSsdDirectoryDamage {

  private static final int PAGE = TestingSsd.PAGE;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;
  private TestingSsd ssd;
  private CachedBlock block;

  @Before
  public void cachePages() throws IOException {
    root = folder.newFolder("ssd").toPath().toRealPath();
    ssd = TestingSsd.open(root);
    block = ssd.cacheAll(TestingReplica.create(folder.getRoot().toPath(), 1, 3 * PAGE));
  }

  @After
  public void close() {
    ssd.close();
  }

  private void assertDamaged(int page) throws IOException {
    DamagedPageException e =
        assertThrows(DamagedPageException.class, () -> ssd.read(block, page));
    assertTrue(e.getMessage(), e.getMessage().contains(block.fileId()));
    assertEquals("only the lock is open", 1, TestingSsd.openFilesBelow(root).size());
  }

  @Test
  public void read_truncatedFile_isDamaged() throws IOException {
    int length = block.layout().fileLength(0);
    for (int shorter : new int[] {length - 4096, length - 1, PAGE, 1, 0}) {
      try (FileChannel file =
          FileChannel.open(ssd.pageFile(block, 0), StandardOpenOption.WRITE)) {
        file.truncate(shorter);
      }
      assertDamaged(0);
    }
  }

  @Test
  public void read_missingFile_isDamaged() throws IOException {
    Files.delete(ssd.pageFile(block, 1));
    assertDamaged(1);
  }

  @Test
  public void read_directoryInPlaceOfTheFile_isAnError() throws IOException {
    Path file = ssd.pageFile(block, 1);
    Files.delete(file);
    Files.createDirectory(file);
    assertThrows(IOException.class, () -> ssd.read(block, 1));
  }

  @Test
  public void removePage_damaged_nextFillBringsItBack() throws IOException {
    Files.delete(ssd.pageFile(block, 1));
    assertDamaged(1);
    ssd.directory().pages().removePage(block.fileId(), 1);
    assertEquals(2, block.pages());
    ssd.cache(TestingReplica.create(folder.getRoot().toPath(), 1, 3 * PAGE), 1);
    ssd.read(block, 1);
  }
}
