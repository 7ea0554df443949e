/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.DataChecksum.Type;
import org.junit.Test;

/** How pages of any size, with chunks of any size, are cut into parts. */
public class TestPageParts {

  private static final int[] PAGE_SIZES = {4096, 256 << 10, 512 << 10, 1 << 20, 64 << 20};
  private static final int MB = 1 << 20;

  private static PageLayout layout(int pageSize, int chunk, long length) {
    return new PageLayout(
        pageSize, DataChecksum.newDataChecksum(Type.CRC32C, chunk), length);
  }

  /** Something that is true of every layout. */
  private interface Property {
    void check(String what, PageLayout layout, int page);
  }

  private static void ofManyPages(Property property) {
    for (int pageSize : PAGE_SIZES) {
      for (int chunk : new int[] {1, 512, 700, 1000, 1001, 4096, 65_536, pageSize - 1, pageSize}) {
        if (chunk > pageSize) {
          continue;
        }
        int span = pageSize / chunk * chunk;
        for (long rest : new long[] {1, 4095, 4096, 4097, span / 2, span - 1, span}) {
          PageLayout layout = layout(pageSize, chunk, span + rest);
          for (int page = 0; page < layout.pages(); page++) {
            property.check("page " + page + " of " + layout.dataLength(page) + " of " + pageSize
                + ", chunks of " + chunk, layout, page);
          }
        }
      }
    }
  }

  @Test
  public void parts_anyPage_areAtMostEightAndCoverThePage() {
    ofManyPages((what, layout, page) -> {
      int parts = layout.parts(page);
      assertTrue(what, parts >= 1 && parts <= PageLayout.MOST_PARTS);
      int end = 0;
      for (int part = 0; part < parts; part++) {
        assertEquals(what, end, layout.partStart(part));
        end = layout.partEnd(page, part);
        assertEquals(what, part, layout.partOf(layout.partStart(part)));
        assertEquals(what, part, layout.partOf(end - 1));
      }
      assertEquals(what, layout.dataLength(page), end);
      assertEquals(what, layout.allParts(page), layout.partsOf(0, end));
    });
  }

  @Test
  public void parts_anyPage_beginWithAChunkAndAligned() {
    ofManyPages((what, layout, page) -> {
      for (int part = 0; part < layout.parts(page); part++) {
        assertEquals(what, 0, layout.partStart(part) % layout.chunkSize());
        assertEquals(what, 0, layout.partStart(part) % PageLayout.ALIGNMENT);
        assertEquals(what, 0, layout.tailPosition(page, part) % PageLayout.ALIGNMENT);
      }
    });
  }

  @Test
  public void partChecksumLength_anyPage_addsUpToThatOfThePage() {
    ofManyPages((what, layout, page) -> {
      int sums = 0;
      for (int part = 0; part < layout.parts(page); part++) {
        int length = layout.partChecksumLength(page, part);
        assertTrue(what, length + PageTrailer.LENGTH <= layout.tailLength());
        assertTrue(what, part == layout.parts(page) - 1 || length == layout.partChecksums());
        sums += length;
      }
      assertEquals(what, layout.checksumLength(page), sums);
    });
  }

  @Test
  public void tails_anyPage_areBehindTheDataAndOneBehindTheOther() {
    ofManyPages((what, layout, page) -> {
      assertTrue(what, layout.tailPosition(page, 0) >= layout.dataLength(page));
      for (int part = 1; part < layout.parts(page); part++) {
        assertEquals(what, layout.tailPosition(page, part - 1) + layout.tailLength(),
            layout.tailPosition(page, part));
      }
      assertEquals(what, layout.tailPosition(page, layout.parts(page) - 1) + layout.tailLength(),
          layout.fileLength(page));
    });
  }

  @Test
  public void fileLength_anySetOfParts_saysWhichTheyAre() {
    ofManyPages((what, layout, page) -> {
      for (int parts = 1; parts <= layout.allParts(page); parts++) {
        long length = layout.fileLength(page, parts);
        assertTrue(what, PageLayout.isFileLength(length));
        assertEquals(what, parts, PageLayout.partsIn(length) & layout.allParts(page));
        assertTrue("no part is cut off by it", length >= layout.fileLength(page));
      }
      assertEquals(what, layout.fileLength(page), layout.fileLength(page, layout.allParts(page)));
    });
  }

  @Test
  public void isFileLength_otherLengths_areNone() {
    assertFalse(PageLayout.isFileLength(0));
    assertFalse(PageLayout.isFileLength(255));
    assertFalse(PageLayout.isFileLength(4096 + 256));
    assertFalse(PageLayout.isFileLength(2 * 4096 - 1));
    assertTrue(PageLayout.isFileLength(4096 + 255));
  }

  @Test
  public void spaceOfFile_usualChecksums_isThatOfItsParts() {
    for (int pageSize : PAGE_SIZES) {
      for (long rest : new long[] {1, 4095, 4096, 4097, 100_000, 131_071, 131_072, 131_073,
          pageSize / 2 + 5, pageSize - 1, pageSize}) {
        PageLayout layout = PageLayout.usual(pageSize, pageSize + Math.min(rest, pageSize));
        for (int page = 0; page < 2; page++) {
          for (int parts = 1; parts <= layout.allParts(page); parts++) {
            assertEquals("parts " + parts + " of " + layout.dataLength(page) + " of " + pageSize,
                layout.space(page, parts),
                PageLayout.spaceOfFile(pageSize, layout.fileLength(page, parts)));
          }
        }
      }
    }
  }

  @Test
  public void spaceOfFile_anyChecksums_isWithinTheFile() {
    ofManyPages((what, layout, page) -> {
      int pageSize = (layout.dataLength(0) + 4095) / 4096 * 4096;
      for (int parts = 1; parts <= layout.allParts(page); parts++) {
        long space = PageLayout.spaceOfFile(pageSize, layout.fileLength(page, parts));
        assertTrue(what + ": " + space, space >= PageLayout.ALIGNMENT);
      }
    });
  }

  @Test
  public void space_wholePartsOfAPageOfAMegabyte_isAtMostFivePercentMoreThanTheirData() {
    PageLayout layout = PageLayout.usual(MB, MB);
    assertEquals(8, layout.parts(0));
    for (int parts = 1; parts <= layout.allParts(0); parts++) {
      int data = layout.dataLength(0, parts);
      assertEquals(Integer.bitCount(parts) * (128 << 10), data);
      assertTrue("parts " + parts, layout.space(0, parts) <= 1.05 * data);
    }
  }

  @Test
  public void parts_usualPages_areAsManyAsTheirSizeAllows() {
    assertEquals(1, PageLayout.usual(4096, 4096).parts(0));
    assertEquals(1, PageLayout.usual(128 << 10, MB).parts(0));
    assertEquals(2, PageLayout.usual(256 << 10, MB).parts(0));
    assertEquals(8, PageLayout.usual(64 << 20, 64 << 20).parts(0));
    assertEquals("of 500 KiB: chunks and direct I/O", 3, layout(MB, 1000, MB).parts(0));
    assertEquals(2, layout(MB, 700, MB).parts(0));
    assertEquals("no part begins where both may", 1, layout(MB, 1001, MB).parts(0));
    assertEquals(1, layout(MB, MB, MB).parts(0));
  }

  @Test
  public void partsOf_ranges_onlyPartsWithAByteOfThem() {
    PageLayout layout = PageLayout.usual(MB, MB);
    int part = 128 << 10;
    assertEquals(0b1, layout.partsOf(0, 1));
    assertEquals(0b1, layout.partsOf(0, part));
    assertEquals(0b11, layout.partsOf(0, part + 1));
    assertEquals(0b11000, layout.partsOf(4 * part - 1, 4 * part + 1));
    assertEquals(0b10000000, layout.partsOf(MB - 1, MB));
    assertEquals(0b11111111, layout.partsOf(0, MB));
  }
}
