/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.Interleavings;
import io.hdfslocalcache.plugin.block.UseCount;
import org.junit.Test;

/** The accounting of memory, in many interleavings of its users. */
public class TestMemoryInterleavings {

  /** Holds memory until its last user releases it, like a page of the memory tier. */
  private static final class Held {
    private final BoundedCount memory;
    private final UseCount users = new UseCount();

    Held(BoundedCount memory) {
      this.memory = memory;
    }

    void release() {
      if (users.release()) {
        memory.give(1);
      }
    }
  }

  @Test
  public void take_whileReadersHoldWhatHasLeft_neverMoreThanTheBound() {
    Interleavings.check(2000, () -> {
      BoundedCount memory = new BoundedCount(1);
      memory.take(1);
      Held page = new Held(memory);
      page.users.retain();
      Interleavings.together(page::release, page::release, () -> {
        if (memory.take(1)) {
          assertEquals("in use", 1, memory.used());
          assertFalse("taken from one who holds it", page.users.retain());
          memory.give(1);
        }
      });
      assertEquals("left in use", 0, memory.used());
    });
  }

  @Test
  public void take_atOnce_oneGetsTheLast() {
    Interleavings.check(500, () -> {
      BoundedCount memory = new BoundedCount(1);
      AtomicInteger got = new AtomicInteger();
      Runnable user = () -> got.addAndGet(memory.take(1) ? 1 : 0);
      Interleavings.together(user, user);
      assertEquals(1, got.get());
      assertEquals("in use", 1, memory.used());
    });
  }

  @Test
  public void buffers_takenAtOnce_neverMoreThanTheBound() {
    Interleavings.check(500, () -> {
      BufferPool pool = new BufferPool(16 << 10);
      Runnable user = () -> {
        BufferPool.Buffer buffer = pool.take(16 << 10);
        assertTrue("in use", pool.inUseBytes() <= pool.limitBytes());
        if (buffer != null) {
          buffer.close();
        }
      };
      Interleavings.together(user, user);
      assertEquals("left in use", 0, pool.inUseBytes());
    });
  }
}
