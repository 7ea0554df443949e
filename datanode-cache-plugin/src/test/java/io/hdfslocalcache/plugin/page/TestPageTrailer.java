/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.DataChecksum.Type;
import org.junit.Test;

/** The trailer of the third part of the second page, of four such pages. */
public class TestPageTrailer {

  private static final int PAGE_SIZE = 512 << 10;
  private static final int LENGTH = 3 * PAGE_SIZE + 700;
  private static final int PAGE = 1;
  private static final int PART = 2;
  private static final ReplicaSnapshot SNAPSHOT = snapshot("BP-1", 7, 1001, LENGTH);
  private static final String NAME = name(SNAPSHOT, 1);
  private static final PageLayout LAYOUT = layout(Type.CRC32C, 512, LENGTH);
  private static final int SUMS = LAYOUT.partChecksumLength(PAGE, PART);

  private static ReplicaSnapshot snapshot(String pool, long id, long stamp, long length) {
    return new ReplicaSnapshot(new BlockKey(pool, id), stamp, length);
  }

  private static String name(ReplicaSnapshot snapshot, long inode) {
    return new ReplicaIdentity(inode, 2, 3).fileId(snapshot);
  }

  private static PageLayout layout(Type type, int chunk, long length) {
    return new PageLayout(PAGE_SIZE, DataChecksum.newDataChecksum(type, chunk), length);
  }

  private static ByteBuffer tail() {
    ByteBuffer tail = ByteBuffer.allocate(LAYOUT.tailLength());
    for (int i = 0; i < tail.capacity(); i++) {
      // Leftover bytes after the checksums.
      tail.put(i, (byte) i);
    }
    PageTrailer.write(tail, SNAPSHOT, NAME, LAYOUT, PAGE, PART);
    assertEquals(0, tail.position());
    assertEquals(tail.capacity(), tail.limit());
    return tail;
  }

  private static ByteBuffer trailer() {
    return tail().slice(LAYOUT.tailLength() - PageTrailer.LENGTH, PageTrailer.LENGTH);
  }

  private static boolean isOf(ReplicaSnapshot snapshot, PageLayout layout, int page, int part) {
    return isOf(snapshot, name(snapshot, 1), layout, page, part);
  }

  private static boolean isOf(ReplicaSnapshot snapshot, String name, PageLayout layout, int page,
      int part) {
    boolean isOf = PageTrailer.isOf(trailer(), snapshot, name, layout, page, part);
    if (layout.equals(LAYOUT)) {
      assertEquals(isOf, PageTrailer.matches(tail(), snapshot, name, layout, page, part));
    }
    return isOf;
  }

  @Test
  public void write_tailWithChecksums_keepsThemAndClearsWhatIsBehind() {
    ByteBuffer tail = tail();
    for (int i = 0; i < tail.capacity() - PageTrailer.LENGTH; i++) {
      assertEquals("byte " + i, i < SUMS ? (byte) i : 0, tail.get(i));
    }
  }

  @Test
  public void isOf_samePart_does() {
    assertTrue(isOf(SNAPSHOT, LAYOUT, PAGE, PART));
  }

  @Test
  public void isOf_anythingElse_doesNot() {
    assertFalse("other pool", isOf(snapshot("BP-2", 7, 1001, LENGTH), LAYOUT, PAGE, PART));
    assertFalse("other block", isOf(snapshot("BP-1", 8, 1001, LENGTH), LAYOUT, PAGE, PART));
    assertFalse("other stamp", isOf(snapshot("BP-1", 7, 1002, LENGTH), LAYOUT, PAGE, PART));
    assertFalse("other length", isOf(snapshot("BP-1", 7, 1001, LENGTH + 1), LAYOUT, PAGE, PART));
    // Block id, generation stamp and length were given twice.
    assertFalse("other replica", isOf(SNAPSHOT, name(SNAPSHOT, 2), LAYOUT, PAGE, PART));
    assertFalse("other page", isOf(SNAPSHOT, LAYOUT, 2, PART));
    assertFalse("part before", isOf(SNAPSHOT, LAYOUT, PAGE, PART - 1));
    assertFalse("part behind", isOf(SNAPSHOT, LAYOUT, PAGE, PART + 1));
    assertFalse("same part, other bytes of data in the page",
        isOf(SNAPSHOT, layout(Type.CRC32C, 512, 2 * PAGE_SIZE - 1), PAGE, PART));
    assertFalse("other checksum", isOf(SNAPSHOT, layout(Type.CRC32, 512, LENGTH), PAGE, PART));
    assertFalse("other chunks", isOf(SNAPSHOT, layout(Type.CRC32C, 1024, LENGTH), PAGE, PART));
  }

  @Test
  public void matches_anyBitOfChecksumsOrTrailerFlipped_doesNot() {
    assertTrue(PageTrailer.matches(tail(), SNAPSHOT, NAME, LAYOUT, PAGE, PART));
    int trailer = LAYOUT.tailLength() - PageTrailer.LENGTH;
    ByteBuffer tail = tail();
    for (int at = 0; at < LAYOUT.tailLength(); at = at == SUMS - 1 ? trailer : at + 1) {
      for (int bit = 0; bit < 8; bit++) {
        tail.put(at, (byte) (tail.get(at) ^ 1 << bit));
        assertFalse("bit " + bit + " of byte " + at,
            PageTrailer.matches(tail, SNAPSHOT, NAME, LAYOUT, PAGE, PART));
        tail.put(at, (byte) (tail.get(at) ^ 1 << bit));
      }
    }
    assertTrue(PageTrailer.matches(tail, SNAPSHOT, NAME, LAYOUT, PAGE, PART));
  }

  @Test
  public void matches_hole_doesNot() {
    assertFalse(PageTrailer.matches(
        ByteBuffer.allocate(LAYOUT.tailLength()), SNAPSHOT, NAME, LAYOUT, PAGE, PART));
  }

  @Test
  public void matches_shorterPartWhoseTailIsLongEnough_doesNot() {
    PageLayout shorter = layout(Type.CRC32C, 512, 2 * PAGE_SIZE - 600);
    assertEquals(3, shorter.partOf(shorter.dataLength(PAGE) - 1));
    ReplicaSnapshot other = snapshot("BP-1", 7, 1001, 2 * PAGE_SIZE - 600);
    assertFalse(PageTrailer.matches(tail(), other, name(other, 1), shorter, PAGE, 3));
  }

  @Test
  public void read_soundTrailer_saysWhatItIsOf() {
    PageTrailer.Origin origin = PageTrailer.read(trailer());
    assertEquals(7, origin.blockId());
    assertEquals(1001, origin.generationStamp());
    assertEquals(LENGTH, origin.blockLength());
    assertEquals(512, origin.checksum().getBytesPerChecksum());
    assertEquals(Type.CRC32C, origin.checksum().getChecksumType());
    assertEquals(PART, origin.part());
  }

  @Test
  public void read_anyBitFlippedOrTooShort_isNoTrailer() {
    for (int bit = 0; bit < 8 * PageTrailer.LENGTH; bit++) {
      ByteBuffer flipped = trailer();
      flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ 1 << bit % 8));
      assertNull("bit " + bit, PageTrailer.read(flipped));
    }
    assertNull(PageTrailer.read(trailer().limit(PageTrailer.LENGTH - 1)));
    assertNull(PageTrailer.read(ByteBuffer.allocate(0)));
    assertNull(PageTrailer.read(ByteBuffer.allocate(PageTrailer.LENGTH)));
  }
}
