/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageTrailer;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Page files that were changed behind the back of the local cache. */
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
    DamagedPageException e = assertThrows(DamagedPageException.class,
        () -> ssd.directory().acquire(block, page));
    assertTrue(e.getMessage(), e.getMessage().contains(block.fileId()));
    assertEquals(0, ssd.directory().openFiles());
    assertEquals("only the lock is open", 1, TestingSsd.openFilesBelow(root).size());
  }

  private void overwrite(int page, long position, int bytes) throws IOException {
    Path file = ssd.pageFile(block, page);
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.allocate(bytes), position);
    }
  }

  @Test
  public void acquire_truncatedFile_isDamaged() throws IOException {
    int length = block.layout().fileLength(0);
    for (int shorter : new int[] {length - 1, PAGE, 1, 0}) {
      try (FileChannel file =
          FileChannel.open(ssd.pageFile(block, 0), StandardOpenOption.WRITE)) {
        file.truncate(shorter);
      }
      assertDamaged(0);
    }
  }

  @Test
  public void acquire_longerFile_isDamaged() throws IOException {
    overwrite(0, block.layout().fileLength(0), 1);
    assertDamaged(0);
  }

  @Test
  public void acquire_overwrittenTrailer_isDamaged() throws IOException {
    int length = block.layout().fileLength(0);
    overwrite(0, length - 64, 64);
    assertDamaged(0);
    overwrite(1, length - 1, 1);
    assertDamaged(1);
  }

  @Test
  public void acquire_swappedFiles_areDamagedBoth() throws IOException {
    Path first = ssd.pageFile(block, 0);
    Path second = ssd.pageFile(block, 1);
    Path aside = first.resolveSibling("aside");
    Files.move(first, aside);
    Files.move(second, first);
    Files.move(aside, second);
    assertDamaged(0);
    assertDamaged(1);
  }

  /** An SSD that lost all writes of a file but the last returns what was there before. */
  @Test
  public void acquire_dataAndChecksumsOfAnotherPage_isDamaged() throws IOException {
    byte[] other = Files.readAllBytes(ssd.pageFile(block, 2));
    int length = other.length - PageTrailer.LENGTH;
    try (FileChannel out = FileChannel.open(ssd.pageFile(block, 1), StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap(other, 0, length), 0);
    }
    assertDamaged(1);
  }

  @Test
  public void acquire_missingFile_isDamaged() throws IOException {
    Files.delete(ssd.pageFile(block, 1));
    assertDamaged(1);
  }

  @Test
  public void acquire_directoryInPlaceOfTheFile_isAnError() throws IOException {
    Path file = ssd.pageFile(block, 1);
    Files.delete(file);
    Files.createDirectory(file);
    assertThrows(IOException.class, () -> ssd.directory().acquire(block, 1));
  }

  @Test
  public void removePage_damaged_nextFillBringsItBack() throws IOException {
    Files.delete(ssd.pageFile(block, 1));
    assertDamaged(1);
    ssd.directory().removePage(block.fileId(), 1);
    assertEquals(2, block.pages());
    ssd.cache(TestingReplica.create(folder.getRoot().toPath(), 1, 3 * PAGE), 1);
    ssd.directory().acquire(block, 1).close();
  }
}
