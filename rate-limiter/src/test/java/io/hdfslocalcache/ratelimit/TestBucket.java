/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** The table of one bucket: growth, the cap, saturation, and several threads at once. */
public class TestBucket {
  private static final int THREADS = 4;

  @Test
  public void count_unknownKey_isZero() {
    assertEquals(0, bucket(10, 1024).count(key(1)));
  }

  @Test
  public void increment_manyMoreBlocksThanTheFirstSegment_allExact() {
    Bucket bucket = bucket(1_000_000, 1 << 20);
    int blocks = 50 * Segment.MIN_CAPACITY;
    for (int round = 0; round < 3; round++) {
      for (int block = 0; block < blocks; block++) {
        assertTrue(bucket.increment(key(block)));
      }
    }
    assertEquals(blocks, bucket.blocks());
    for (int block = 0; block < blocks; block++) {
      assertEquals(3, bucket.count(key(block)));
    }
    assertEquals(0, bucket.count(key(blocks)));
  }

  @Test
  public void increment_keysWithOneHomeSlot_chainSegmentsAndStayExact() {
    Bucket bucket = bucket(1_000_000, 1 << 20);
    for (int i = 1; i <= 200; i++) {
      assertTrue(bucket.increment(keyWithHomeZero(i)));
      assertTrue(bucket.increment(keyWithHomeZero(i)));
    }
    for (int i = 1; i <= 200; i++) {
      assertEquals(2, bucket.count(keyWithHomeZero(i)));
    }
    assertEquals(200, bucket.blocks());
  }

  @Test
  public void expectedBlocks_sizeTheFirstSegment() {
    WindowLimits limits = new WindowLimits(10, 10, 1 << 20);
    Bucket bucket = new Bucket(0, 20_000, limits);
    long bytes = bucket.heapBytes();
    for (int block = 0; block < 20_000; block++) {
      bucket.increment(key(block));
    }
    assertEquals("no further segment", bytes, bucket.heapBytes());
  }

  @Test
  public void cap_reached_newBlocksRefused_knownOnesCounted() {
    int max = 5000;
    Bucket bucket = bucket(10, max);
    for (int block = 0; block < max; block++) {
      assertTrue(bucket.increment(key(block)));
    }
    for (int block = max; block < 3 * max; block++) {
      assertFalse(bucket.increment(key(block)));
      assertEquals(0, bucket.count(key(block)));
    }
    for (int block = 0; block < max; block++) {
      assertTrue(bucket.increment(key(block)));
      assertEquals(2, bucket.count(key(block)));
    }
    assertEquals(max, bucket.blocks());
  }

  @Test
  public void heapPerBlock_fullBucket_isWithinTheDocumentedBound() {
    for (int max = 1024; max <= 200_000; max += 1 + max / 3) {
      Bucket bucket = bucket(10, max);
      for (int block = 0; block < 2 * max; block++) {
        bucket.increment(key(block));
      }
      assertHeapPerBlock(bucket);
    }
  }

  @Test
  public void heapPerBlock_whileGrowing_isWithinTheDocumentedBound() {
    Bucket bucket = bucket(10, 1 << 20);
    for (int block = 0; block < 200_000; block++) {
      bucket.increment(key(block));
      if (block >= Segment.MIN_CAPACITY) {
        assertHeapPerBlock(bucket);
      }
    }
  }

  @Test
  public void heapPerBlock_sizedAfterTheBucketBefore_isWithinTheDocumentedBound() {
    for (int blocks = 1024; blocks < 30_000; blocks += 997) {
      Bucket bucket = new Bucket(0, blocks, new WindowLimits(10, 10, 1 << 20));
      for (int block = 0; block < blocks; block++) {
        bucket.increment(key(block));
      }
      assertHeapPerBlock(bucket);
    }
  }

  @Test
  public void count_aboveTheThreshold_saturates() {
    Bucket bucket = bucket(7, 1024);
    for (int i = 0; i < 1000; i++) {
      assertTrue(bucket.increment(key(1)));
    }
    assertEquals(8, bucket.count(key(1)));
  }

  @Test
  public void count_aboveTheThreshold_inManyThreads_exceedsTheCeilingByLessThanTheirNumber()
      throws Exception {
    Bucket bucket = bucket(1000, 1024);
    Threads.run(THREADS, thread -> {
      for (int i = 0; i < 100_000; i++) {
        bucket.increment(key(1));
      }
    });
    int count = bucket.count(key(1));
    assertTrue("count " + count, count > 1000 && count < 1001 + THREADS);
  }

  @Test
  public void increment_sameNewBlocksInManyThreads_growingAllTheWhile_losesNothing()
      throws Exception {
    int blocks = 60_000;
    Bucket bucket = bucket(1_000_000, 1 << 20);
    Threads.run(THREADS, thread -> {
      for (int block = 0; block < blocks; block++) {
        assertTrue(bucket.increment(key(block)));
      }
    });
    assertEquals("a block counted twice as new", blocks, bucket.blocks());
    for (int block = 0; block < blocks; block++) {
      assertEquals(THREADS, bucket.count(key(block)));
    }
  }

  @Test
  public void increment_differentBlocksForTheSameSlots_inManyThreads_neverShareACount()
      throws Exception {
    Bucket[] buckets = new Bucket[5000];
    Arrays.setAll(buckets, i -> bucket(10, 1024));
    Threads.run(THREADS, thread -> {
      for (Bucket bucket : buckets) {
        bucket.increment(keyWithHomeZero(1 + thread));
      }
    });
    for (Bucket bucket : buckets) {
      for (int thread = 0; thread < THREADS; thread++) {
        assertEquals(1, bucket.count(keyWithHomeZero(1 + thread)));
      }
    }
  }

  @Test
  public void append_asSeveralThreadsDo_allGetTheFirstOne() {
    Segment segment = new Segment(Segment.MIN_CAPACITY);
    Segment appended = segment.append(1 << 20);
    assertSame(appended, segment.append(1 << 20));
    assertSame(appended, segment.next());
  }

  @Test
  public void claim_slotTakenInBetween_isRefused() {
    Segment segment = new Segment(Segment.MIN_CAPACITY);
    int free = ~segment.probe(keyWithHomeZero(1));
    assertTrue(segment.claim(free, keyWithHomeZero(2)));
    assertFalse(segment.claim(free, keyWithHomeZero(1)));
    assertEquals("the next slot", free + 1, ~segment.probe(keyWithHomeZero(1)));
  }

  @Test
  public void cap_inManyThreads_exceededByLessThanTheirNumber() throws Exception {
    int max = 2000;
    Bucket bucket = bucket(10, max);
    AtomicInteger counted = new AtomicInteger();
    Threads.run(THREADS, thread -> {
      for (int block = 0; block < max; block++) {
        counted.addAndGet(bucket.increment(key(thread * max + block)) ? 1 : 0);
      }
    });
    assertEquals(counted.get(), bucket.blocks());
    assertTrue(bucket.blocks() >= max && bucket.blocks() < max + THREADS);
  }

  private static Bucket bucket(int threshold, int maxBlocks) {
    return new Bucket(0, 0, new WindowLimits(threshold, 10, maxBlocks));
  }

  private static long key(long block) {
    return BlockKeys.key(42, block);
  }

  /** Keys alike in the bits that segments look at. */
  private static long keyWithHomeZero(long i) {
    return i << 40;
  }

  private static void assertHeapPerBlock(Bucket bucket) {
    double bytes = (double) bucket.heapBytes() / bucket.blocks();
    assertTrue(bucket.blocks() + " blocks: " + bytes + " bytes each", bytes <= 50);
  }
}
