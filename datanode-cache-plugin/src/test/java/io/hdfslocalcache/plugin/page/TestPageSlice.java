/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;

public class TestPageSlice {

  private int reads;

  private static PageLayout layout(int pageSize, int chunk, long length) {
    return new PageLayout(pageSize,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, chunk), length);
  }

  /** Reads as direct I/O does: whatever is not aligned is an error. */
  private ByteBuffer read(PageSlice slice, byte[] file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(slice.bufferLength());
    reads = 0;
    slice.readInto(buffer, (position, target) -> {
      reads++;
      assertEquals(0, position % PageLayout.ALIGNMENT);
      assertEquals(0, target.remaining() % PageLayout.ALIGNMENT);
      assertEquals(0, target.position() % PageLayout.ALIGNMENT);
      assertTrue(position + target.remaining() <= file.length);
      target.put(file, (int) position, target.remaining());
    });
    return buffer;
  }

  private static byte[] file(PageLayout layout, int page, Random random) {
    byte[] file = new byte[layout.fileLength(page)];
    random.nextBytes(file);
    return file;
  }

  @Test
  public void readInto_randomRanges_dataAndTailAreThoseOfTheFile() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int twoParts = 0;
    for (int chunk : new int[] {512, 1000, 4096}) {
      for (int pageSize = 4096; pageSize <= 1 << 20; pageSize *= 4) {
        PageLayout layout = layout(pageSize, chunk, pageSize + 1 + random.nextInt(pageSize));
        for (int i = 0; i < 50; i++) {
          int page = random.nextInt(layout.pages());
          twoParts += assertRandomSlice(layout, page, random);
        }
      }
    }
    assertTrue("of two parts: " + twoParts, twoParts > 50);
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
    assertEquals(what, ByteBuffer.wrap(file, data, file.length - data), slice.tail(buffer));
    assertTrue(what, slice.bufferLength() <= file.length);
    assertEquals(what, from == 0 && to == data, slice.isWhole());
    return reads - 1;
  }

  @Test
  public void whole_always_isTheFileInOneRead() throws IOException {
    Random random = new Random(1);
    for (int length : new int[] {1, 4095, 4096, 100_000, 1 << 20}) {
      PageLayout layout = layout(1 << 20, 512, length);
      PageSlice whole = PageSlice.whole(layout, 0);
      byte[] file = file(layout, 0, random);
      assertEquals(ByteBuffer.wrap(file), read(whole, file));
      assertEquals(1, reads);
      assertTrue(whole.isWhole());
    }
  }

  @Test
  public void readInto_smallRangeOfALargePage_readsNoMoreThanItNeeds() throws IOException {
    PageLayout layout = layout(1 << 20, 512, 1 << 20);
    PageSlice slice = new PageSlice(layout, 0, 64 << 10, 128 << 10);
    read(slice, file(layout, 0, new Random(1)));
    assertEquals(2, reads);
    assertEquals("the range, the checksums and the trailer", (64 << 10) + (12 << 10),
        slice.bufferLength());
  }

  @Test
  public void covers_rangesWithinAndBeyond() {
    PageSlice slice = new PageSlice(layout(1 << 20, 512, 1 << 20), 0, 512, 2048);
    assertTrue(slice.covers(512, 2048));
    assertTrue(slice.covers(600, 601));
    assertFalse(slice.covers(511, 600));
    assertFalse(slice.covers(2000, 2049));
  }
}
