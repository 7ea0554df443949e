/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Random;

import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.DataChecksum.Type;
import org.junit.Test;

public class TestPageLayout {

  private static PageLayout layout(int pageSize, int chunk, long length) {
    return new PageLayout(pageSize, checksum(Type.CRC32C, chunk), length);
  }

  private static DataChecksum checksum(Type type, int chunk) {
    return DataChecksum.newDataChecksum(type, chunk);
  }

  @Test
  public void pages_emptyBlock_none() {
    assertEquals(0, layout(4096, 512, 0).pages());
  }

  @Test
  public void start_blockLargerThanAnInt_isRight() {
    PageLayout layout = layout(1 << 20, 512, 1L << 40);
    assertEquals(1 << 20, layout.pages());
    assertEquals((1L << 40) - (1 << 20), layout.start(layout.pages() - 1));
    assertEquals(layout.pages() - 1, layout.pageOf((1L << 40) - 1));
    assertEquals(layout.pages() - 1, layout.pageOfChecksum((1L << 40) / 512 * 4 - 1));
  }

  @Test
  public void fileLength_allParts_isAlignedAndEndsWithTheTail() {
    PageLayout layout = layout(4096, 512, 5000);
    assertEquals(8192, layout.fileLength(0));
    assertEquals(4096, layout.tailPosition(0, 0));
    assertEquals("data and tail are not in the same block", 8192, layout.fileLength(1));
    // Checksums and trailer that just fit, and some that just do not.
    int fits = (4096 - PageTrailer.LENGTH) / 4;
    assertEquals(4096, layout(fits * 8, 8, 1).tailLength());
    assertEquals(8192, layout(fits * 8 + 8, 8, 1).tailLength());
  }

  @Test
  public void supports_whatCannotBeVerifiedOrDoesNotFit_not() {
    assertTrue(PageLayout.supports(4096, checksum(Type.CRC32, 4096)));
    assertFalse(PageLayout.supports(4096, checksum(Type.CRC32, 4097)));
    assertFalse(PageLayout.supports(4096, checksum(Type.NULL, 512)));
    assertThrows(IllegalArgumentException.class,
        () -> new PageLayout(4096, checksum(Type.CRC32, 4097), 1));
  }

  @Test
  public void layout_randomBlocks_everyByteAndEveryChecksumLieInExactlyOnePage() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      int pageSize = 1 + random.nextInt(3000);
      int chunk = 1 + random.nextInt(Math.min(pageSize, 700));
      assertPartition(layout(pageSize, chunk, random.nextInt(20_000)));
    }
  }

  private static void assertPartition(PageLayout layout) {
    long byteOfBlock = 0;
    long byteOfChecksums = 0;
    for (int page = 0; page < layout.pages(); page++) {
      assertEquals(byteOfBlock, layout.start(page));
      assertEquals(byteOfChecksums, layout.checksumStart(page));
      for (int i = 0; i < layout.dataLength(page); i++, byteOfBlock++) {
        assertEquals(page, layout.pageOf(byteOfBlock));
        long position = layout.checksumPosition(byteOfBlock);
        assertEquals(byteOfBlock / layout.chunkSize() * layout.checksumSize(), position);
        assertEquals(page, layout.pageOfChecksum(position));
      }
      for (int i = 0; i < layout.checksumLength(page); i++, byteOfChecksums++) {
        assertEquals(page, layout.pageOfChecksum(byteOfChecksums));
      }
    }
    assertEquals(layout.blockLength(), byteOfBlock);
    long chunks = (layout.blockLength() + layout.chunkSize() - 1) / layout.chunkSize();
    assertEquals(chunks * layout.checksumSize(), byteOfChecksums);
  }
}
