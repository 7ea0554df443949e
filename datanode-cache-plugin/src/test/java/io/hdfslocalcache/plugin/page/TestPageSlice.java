/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;

public class TestPageSlice {

  private static final int MB = 1 << 20;

  private int moves;

  private static PageLayout layout(int pageSize, int chunk, long length) {
    return new PageLayout(pageSize,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, chunk), length);
  }

  /** Reads as direct I/O does: whatever is not aligned is an error. */
  private PageSlice.File reading(byte[] file) {
    moves = 0;
    return (position, target) -> {
      moves++;
      assertAligned(file, position, target);
      target.put(file, (int) position, target.remaining());
    };
  }

  private PageSlice.File writing(byte[] file) {
    moves = 0;
    return (position, source) -> {
      moves++;
      assertAligned(file, position, source);
      source.get(file, (int) position, source.remaining());
    };
  }

  private static void assertAligned(byte[] file, long position, ByteBuffer bytes) {
    assertEquals(0, position % PageLayout.ALIGNMENT);
    assertEquals(0, bytes.remaining() % PageLayout.ALIGNMENT);
    assertEquals(0, bytes.arrayOffset() % PageLayout.ALIGNMENT);
    assertTrue(position + bytes.remaining() <= file.length);
  }

  private ByteBuffer read(PageSlice slice, byte[] file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(slice.bufferLength());
    slice.move(buffer, reading(file));
    return buffer;
  }

  private static byte[] file(PageLayout layout, int page, Random random) {
    byte[] file = new byte[layout.fileLength(page)];
    random.nextBytes(file);
    return file;
  }

  @Test
  public void move_randomRanges_dataAndTailsAreThoseOfTheFile() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int twoMoves = 0;
    for (int chunk : new int[] {512, 700, 1000, 4096}) {
      for (int pageSize = 4096; pageSize <= MB; pageSize *= 4) {
        PageLayout layout = layout(pageSize, chunk, pageSize + 1 + random.nextInt(pageSize));
        for (int i = 0; i < 50; i++) {
          int page = random.nextInt(layout.pages());
          twoMoves += assertRandomSlice(layout, page, random);
        }
      }
    }
    assertTrue("of two requests: " + twoMoves, twoMoves > 50);
  }

  private int assertRandomSlice(PageLayout layout, int page, Random random) throws IOException {
    int data = layout.dataLength(page);
    int chunks = (data + layout.chunkSize() - 1) / layout.chunkSize();
    int first = random.nextInt(chunks);
    int from = first * layout.chunkSize();
    int to = Math.min(data, from + (1 + random.nextInt(chunks - first)) * layout.chunkSize());
    PageSlice slice = new PageSlice(layout, page, from, to);
    byte[] file = file(layout, page, random);
    ByteBuffer buffer = read(slice, file);
    String what = slice + " of " + layout.fileLength(page) + " bytes";
    assertEquals(what, ByteBuffer.wrap(file, from, to - from), slice.data(buffer));
    for (int part = slice.firstPart(); part <= slice.lastPart(); part++) {
      assertEquals(what, ByteBuffer.wrap(file, layout.tailPosition(page, part),
          layout.tailLength()), slice.tail(buffer, part));
    }
    assertEquals(what, layout.partsOf(from, to), slice.parts());
    assertEquals(what, from == 0 && to == data, slice.isWhole());
    return moves - 1;
  }

  @Test
  public void whole_always_isTheFileInOneRequest() throws IOException {
    Random random = new Random(1);
    for (int length : new int[] {1, 4095, 4096, 100_000, MB}) {
      PageLayout layout = layout(MB, 512, length);
      PageSlice whole = PageSlice.whole(layout, 0);
      byte[] file = file(layout, 0, random);
      assertEquals(ByteBuffer.wrap(file), read(whole, file));
      assertEquals(1, moves);
      assertTrue(whole.isWhole());
    }
  }

  @Test
  public void move_smallRangeOfALargePage_readsNoMoreThanItNeeds() throws IOException {
    PageLayout layout = layout(MB, 512, MB);
    PageSlice slice = new PageSlice(layout, 0, 64 << 10, 128 << 10);
    read(slice, file(layout, 0, new Random(1)));
    assertEquals(2, moves);
    assertEquals("the range, and the tail of its part", (64 << 10) + 4096, slice.bufferLength());
  }

  @Test
  public void moveParts_anyOfTheSlice_touchesNothingElse() throws IOException {
    PageLayout layout = layout(MB, 512, MB - 100);
    PageSlice slice = PageSlice.ofParts(layout, 0, 2, 7);
    Random random = new Random(1);
    byte[] content = file(layout, 0, random);
    ByteBuffer buffer = read(slice, content);
    for (int parts = 0b100; parts <= 0b11111100; parts += 0b100) {
      byte[] file = file(layout, 0, random);
      byte[] expected = file.clone();
      for (int part = 0; part < 8; part++) {
        if ((parts >>> part & 1) != 0) {
          int end = PageLayout.alignedUp(layout.partEnd(0, part));
          copy(content, expected, layout.partStart(part), end);
          copy(content, expected, layout.tailPosition(0, part), layout.tailPosition(0, part + 1));
        }
      }
      slice.moveParts(parts, buffer, writing(file));
      assertTrue("parts " + parts, Arrays.equals(expected, file));
    }
  }

  private static void copy(byte[] from, byte[] to, int begin, int end) {
    System.arraycopy(from, begin, to, begin, end - begin);
  }

  @Test
  public void moveParts_allOfTheSlice_isAsFewRequestsAsTheSlice() throws IOException {
    PageLayout layout = layout(MB, 512, MB);
    PageSlice slice = PageSlice.ofParts(layout, 0, 1, 3);
    byte[] file = file(layout, 0, new Random(1));
    ByteBuffer buffer = read(slice, file);
    slice.moveParts(slice.parts(), buffer, writing(file));
    assertEquals(2, moves);
  }

  @Test
  public void covers_rangesWithinAndBeyond() {
    PageSlice slice = new PageSlice(layout(MB, 512, MB), 0, 512, 2048);
    assertTrue(slice.covers(512, 2048));
    assertTrue(slice.covers(600, 601));
    assertFalse(slice.covers(511, 600));
    assertFalse(slice.covers(2000, 2049));
  }
}
