/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import org.junit.Test;

/** Parts are added to pages that are there. */
public class TestGrowingPages extends GrowingPagesFixture {

  private static final int PART_TAKES = PART + PageLayout.ALIGNMENT;

  @Test
  public void publish_someParts_takesTheirSpaceOnly() throws IOException {
    CachedBlock block = block(PAGE);
    assertTrue(cache(block, 0, 2, 3));
    assertParts(block, 0, 0b1100);
    assertEquals(2 * PART_TAKES, ssd.directory().usedBytes());
    long taken = (Long) Files.getAttribute(ssd.pageFile(block, 0), "unix:size");
    assertTrue("the file is as long as the page: " + taken, taken > PAGE);
    assertBooksBalance();
  }

  @Test
  public void publishMore_beforeBetweenAndBehind_allAreThere() throws IOException {
    CachedBlock block = block(PAGE);
    cache(block, 0, 2, 3);
    assertTrue(cache(block, 0, 7, 7));
    assertParts(block, 0, 0b10001100);
    assertTrue(cache(block, 0, 0, 4));
    assertParts(block, 0, 0b10011111);
    assertTrue(cache(block, 0, 0, 7));
    assertParts(block, 0, 0b11111111);
    assertEquals(1, ssd.index().pages());
    assertEquals(1, block.wholePages());
    assertBooksBalance();
  }

  @Test
  public void extend_partsThatWereThere_keepTheirBytes() throws IOException {
    CachedBlock block = block(PAGE);
    cache(block, 0, 1, 1);
    cache(block, 0, 4, 5);
    flip(block, 0, PART + 777);
    byte[] before = file(block, 0);
    PageSlice slice = PageSlice.whole(block.layout(), 0);
    ByteBuffer content = replicaOf(block).page(block.layout(), 0);
    for (int part : new int[] {1, 4, 5}) {
      // The buffer has other bytes for parts that are not to be written.
      content.put(part * PART + 5, (byte) ~content.get(part * PART + 5));
      ByteBuffer tail = slice.tail(content, part);
      tail.put(3, (byte) ~tail.get(3));
    }
    ssd.directory().pages().extend(block, slice, 0b11001101, content);
    assertTrue(ssd.directory().pages().publishMore(block, 0, 0b11001101));
    byte[] after = file(block, 0);
    PageSlice.ofParts(block.layout(), 0, 0, 7).moveParts(0b00110010, ByteBuffer.wrap(after),
        (position, bytes) -> assertEquals("at " + position,
            ByteBuffer.wrap(before, (int) position, bytes.remaining()), bytes));
    ByteBuffer read = ssd.read(block, 0);
    slice.verify(read, 0b11111101, block.snapshot(), block.fileId());
    assertThrows("it is as damaged as before", DamagedPageException.class,
        () -> slice.verify(read, 0b10, block.snapshot(), block.fileId()));
  }

  private void flip(CachedBlock block, int page, int position) throws IOException {
    byte[] all = file(block, page);
    try (FileChannel file =
        FileChannel.open(ssd.pageFile(block, page), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {(byte) ~all[position]}), position);
    }
  }

  @Test
  public void extend_pageHasLeft_isNoErrorOfTheSsd() throws IOException {
    CachedBlock block = block(PAGE);
    cache(block, 0, 0, 0);
    ssd.directory().pages().removePage(block.page(0));
    PageSlice slice = PageSlice.ofParts(block.layout(), 0, 1, 2);
    assertThrows(PageNotReadException.class, () -> ssd.directory().pages().extend(
        block, slice, 0b110, replicaOf(block).parts(slice)));
    assertTrue(ssd.directory().hasRoom());
    assertBooksBalance();
  }

  /** @return blocks that leave room for one part. */
  private List<CachedBlock> fullSsd() throws IOException {
    List<CachedBlock> full = new ArrayList<>();
    for (long left = CAPACITY; left >= 2 * PART_TAKES;) {
      int parts = (int) Math.min(8, left / PART_TAKES - 1);
      CachedBlock block = block(PAGE);
      assertTrue(cache(block, 0, 0, parts - 1));
      left -= parts * PART_TAKES;
      full.add(block);
    }
    return full;
  }

  @Test
  public void publishMore_full_evictsTheLeastRecentlyUsedOnly() throws IOException {
    List<CachedBlock> full = fullSsd();
    CachedBlock growing = block(PAGE);
    cache(growing, 0, 0, 0);
    assertTrue(cache(growing, 0, 1, 6));
    assertParts(growing, 0, 0b1111111);
    assertEquals(1, ssd.evictions());
    assertEquals(0, full.get(0).pages());
    assertEquals(1, full.get(1).pages());
    assertTrue(ssd.mostUsed() <= CAPACITY);
    assertBooksBalance();
  }

  @Test
  public void publishMore_fullAndItselfTheLeastRecentlyUsed_leaves() throws IOException {
    List<CachedBlock> full = fullSsd();
    CachedBlock oldest = block(PAGE);
    cache(oldest, 0, 0, 0);
    for (CachedBlock other : full) {
      other.use(0);
    }
    assertFalse(cache(oldest, 0, 1, 1));
    assertEquals(0, oldest.pages());
    assertEquals(1, ssd.evictions());
    assertTrue(ssd.mostUsed() <= CAPACITY);
    assertBooksBalance();
  }
}
