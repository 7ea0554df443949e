/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.DataChecksum.Type;
import org.junit.Test;

public class TestPageTrailer {

  private static final int PAGE_SIZE = 4096;
  private static final int LENGTH = 3 * PAGE_SIZE + 700;
  private static final ReplicaSnapshot SNAPSHOT = snapshot("BP-1", 7, 1001, LENGTH);
  private static final PageLayout LAYOUT = layout(Type.CRC32C, 512, LENGTH);

  private static ReplicaSnapshot snapshot(String pool, long id, long stamp, long length) {
    return new ReplicaSnapshot(new BlockKey(pool, id), stamp, length);
  }

  private static PageLayout layout(Type type, int chunk, long length) {
    return new PageLayout(PAGE_SIZE, DataChecksum.newDataChecksum(type, chunk), length);
  }

  private static ByteBuffer checksumsAndTrailer() {
    ByteBuffer file = ByteBuffer.allocate(LAYOUT.fileLength(1));
    file.position(LAYOUT.dataLength(1));
    for (int i = 0; i < LAYOUT.checksumLength(1); i++) {
      file.put((byte) i);
    }
    PageTrailer.write(file, SNAPSHOT, LAYOUT, 1);
    assertEquals(0, file.remaining());
    return file.position(LAYOUT.dataLength(1)).slice();
  }

  private static ByteBuffer trailer() {
    ByteBuffer end = checksumsAndTrailer();
    return end.position(end.limit() - PageTrailer.LENGTH).slice();
  }

  private static boolean matches(ReplicaSnapshot snapshot, PageLayout layout, int page) {
    return PageTrailer.matches(trailer(), snapshot, layout, page);
  }

  @Test
  public void matches_samePage_does() {
    assertTrue(matches(SNAPSHOT, LAYOUT, 1));
  }

  @Test
  public void matches_sameBlockIdInOtherPool_doesNot() {
    assertFalse(matches(snapshot("BP-2", 7, 1001, LENGTH), LAYOUT, 1));
  }

  @Test
  public void matches_otherStateOfTheBlock_doesNot() {
    assertFalse(matches(snapshot("BP-1", 8, 1001, LENGTH), LAYOUT, 1));
    assertFalse(matches(snapshot("BP-1", 7, 1002, LENGTH), LAYOUT, 1));
    assertFalse(matches(snapshot("BP-1", 7, 1001, LENGTH + 1), LAYOUT, 1));
  }

  @Test
  public void matches_otherPlaceInTheBlock_doesNot() {
    assertFalse(matches(SNAPSHOT, LAYOUT, 2));
    assertFalse("same page, other bytes of data in it",
        matches(SNAPSHOT, layout(Type.CRC32C, 512, PAGE_SIZE + 1), 1));
  }

  @Test
  public void matches_otherChecksums_doesNot() {
    assertFalse(matches(SNAPSHOT, layout(Type.CRC32, 512, LENGTH), 1));
    assertFalse(matches(SNAPSHOT, layout(Type.CRC32C, 1024, LENGTH), 1));
  }

  @Test
  public void matches_anyBitFlipped_doesNot() {
    for (int bit = 0; bit < 8 * PageTrailer.LENGTH; bit++) {
      ByteBuffer flipped = trailer();
      flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ 1 << bit % 8));
      assertFalse("bit " + bit, PageTrailer.matches(flipped, SNAPSHOT, LAYOUT, 1));
    }
  }

  @Test
  public void matches_truncatedOrEmpty_doesNot() {
    assertFalse(PageTrailer.matches(
        trailer().limit(PageTrailer.LENGTH - 1), SNAPSHOT, LAYOUT, 1));
    assertFalse(PageTrailer.matches(ByteBuffer.allocate(0), SNAPSHOT, LAYOUT, 1));
  }

  @Test
  public void matchesWithChecksums_anyBitFlipped_doesNot() {
    assertTrue(PageTrailer.matchesWithChecksums(checksumsAndTrailer(), SNAPSHOT, LAYOUT, 1));
    int zeros = LAYOUT.checksumLength(1);
    int zerosEnd = checksumsAndTrailer().remaining() - PageTrailer.LENGTH;
    for (int bit = 0; bit < 8 * checksumsAndTrailer().remaining(); bit++) {
      if (bit == 8 * zeros) {
        bit = 8 * zerosEnd;
      }
      ByteBuffer flipped = checksumsAndTrailer();
      flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ 1 << bit % 8));
      assertFalse("bit " + bit,
          PageTrailer.matchesWithChecksums(flipped, SNAPSHOT, LAYOUT, 1));
    }
    assertFalse(
        PageTrailer.matchesWithChecksums(ByteBuffer.allocate(0), SNAPSHOT, LAYOUT, 1));
  }
}
