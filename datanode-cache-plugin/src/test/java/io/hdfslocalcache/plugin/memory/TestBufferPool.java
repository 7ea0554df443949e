/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.page.PageLayout;
import org.junit.Test;

public class TestBufferPool {

  private static final int KB = 1 << 10;

  @Test
  public void take_anySize_isAlignedAndAsLongAsAskedFor() {
    BufferPool pool = new BufferPool(1 << 30);
    for (int bytes : new int[] {1, 4096, 16 * KB, 16 * KB + 1, 72 * KB, 1 << 20, (1 << 20) + 12 * KB,
        (64 << 20) + 516 * KB}) {
      for (int again = 0; again < 2; again++) {
        try (BufferPool.Buffer buffer = pool.take(bytes)) {
          assertTrue(buffer.bytes().isDirect());
          assertEquals(bytes, buffer.bytes().remaining());
          assertEquals(bytes, buffer.bytes().capacity());
          assertEquals(0, buffer.bytes().alignmentOffset(0, PageLayout.ALIGNMENT));
          assertTrue(pool.inUseBytes() >= bytes);
          assertTrue("a quarter at most is unused", bytes < 64 * KB
              || pool.inUseBytes() <= bytes * 5L / 4);
        }
      }
      assertEquals(0, pool.inUseBytes());
    }
  }

  @Test
  public void limit_isAnEighthOfTheHeapOrOfLessDirectMemory() {
    assertEquals(1L << 30, BufferPool.limit(1 << 20, 8L << 30, 16L << 30));
    assertEquals(128L << 20, BufferPool.limit(1 << 20, 8L << 30, 1L << 30));
    assertEquals("32 pages", 32L << 20, BufferPool.limit(1 << 20, 8L << 30, 64L << 20));
  }

  @Test
  public void take_allInUse_isRefusedUntilOneIsGivenBack() {
    BufferPool pool = new BufferPool(1 << 20);
    List<BufferPool.Buffer> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      taken.add(pool.take(256 * KB));
    }
    assertEquals(1 << 20, pool.inUseBytes());
    assertNull(pool.take(1));
    assertEquals("who gets none takes nothing", 1 << 20, pool.inUseBytes());
    taken.get(0).close();
    taken.set(0, pool.take(256 * KB));
    assertNotNull(taken.get(0));
    taken.forEach(BufferPool.Buffer::close);
    assertEquals(0, pool.inUseBytes());
  }

  /** Bytes of all buffers in direct memory, as the JVM counts them. */
  private static AtomicLong totalOfJvm() throws ReflectiveOperationException {
    Field total = Class.forName("java.nio.Bits").getDeclaredField("TOTAL_CAPACITY");
    total.setAccessible(true);
    return (AtomicLong) total.get(null);
  }

  @Test
  public void take_othersHaveTakenAllMemory_isRefusedAndNobodyElseIsToBlame() throws Exception {
    BufferPool pool = new BufferPool(1L << 30);
    totalOfJvm().addAndGet(1L << 50);
    try {
      assertNull(pool.take(64 << 20));
      assertEquals(0, pool.inUseBytes());
    } finally {
      totalOfJvm().addAndGet(-(1L << 50));
    }
    try (BufferPool.Buffer buffer = pool.take(1 << 20)) {
      assertNotNull(buffer);
    }
  }

  @Test
  public void take_jvmHasNoMemoryLeft_noCallerMakesTheJvmCollectItsGarbage() throws Exception {
    BlockingQueue<Thread> makers = new LinkedBlockingQueue<>();
    AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    BufferPool pool = new BufferPool(1L << 30, length -> {
      makers.add(Thread.currentThread());
      throw new OutOfMemoryError("thrown by a test");
    }, clock::get);
    totalOfJvm().addAndGet(1L << 50);
    try {
      for (int minute = 0; minute < 2; minute++) {
        for (int i = 0; i < 100; i++) {
          assertNull(pool.take(1 << 20));
        }
        Thread maker = makers.take();
        assertNotSame(Thread.currentThread(), maker);
        maker.join();
        assertNull("one attempt a minute", makers.poll());
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
      }
    } finally {
      totalOfJvm().addAndGet(-(1L << 50));
    }
  }

  @Test
  public void take_memoryOnlyForTheBytesOfABuffer_nothingIsInUse() {
    // No buffer in the heap can be aligned.
    BufferPool pool = new BufferPool(1L << 30, ByteBuffer::allocate, System::nanoTime);
    assertThrows(UnsupportedOperationException.class, () -> pool.take(1 << 20));
    assertEquals(0, pool.inUseBytes());
  }

  @Test
  public void take_garbageHadTheMemory_thereAreBuffersAfterTheAttempt() throws Exception {
    BlockingQueue<Thread> makers = new LinkedBlockingQueue<>();
    BufferPool pool = new BufferPool(1L << 30, length -> {
      makers.add(Thread.currentThread());
      return ByteBuffer.allocateDirect(length);
    }, System::nanoTime);
    totalOfJvm().addAndGet(1L << 50);
    try {
      assertNull(pool.take(1 << 20));
    } finally {
      // As the attempt would free it.
      totalOfJvm().addAndGet(-(1L << 50));
    }
    Thread maker = makers.take();
    assertNotSame(Thread.currentThread(), maker);
    maker.join();
    try (BufferPool.Buffer buffer = pool.take(1 << 20)) {
      assertNotNull(buffer);
    }
  }

  @Test
  public void ofJvm_always_hasRoomForManyPages() {
    BufferPool pool = BufferPool.ofJvm(64 << 20);
    List<BufferPool.Buffer> taken = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      taken.add(pool.take(1 << 20));
    }
    assertTrue(taken.stream().noneMatch(buffer -> buffer == null));
    taken.forEach(BufferPool.Buffer::close);
  }
}
