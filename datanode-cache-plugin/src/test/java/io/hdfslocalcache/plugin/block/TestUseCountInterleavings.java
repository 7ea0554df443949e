/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.Interleavings;
import org.junit.Test;

public class TestUseCountInterleavings {

  private static final int ORDERS = 1000;

  /** No holder uses it after it is closed; it is closed once, and never revived. */
  @Test
  public void retainAndRelease_anyOrder_closedOnceAndByTheLast() {
    Interleavings.check(ORDERS, () -> {
      UseCount users = new UseCount();
      AtomicInteger closes = new AtomicInteger();
      Runnable use = () -> {
        if (users.retain()) {
          assertEquals("closed while it is used", 0, closes.get());
          release(users, closes);
        }
      };
      Interleavings.together(() -> release(users, closes), use, use);
      assertEquals(1, closes.get());
      assertFalse(users.retain());
    });
  }

  private static void release(UseCount users, AtomicInteger closes) {
    if (users.release()) {
      closes.incrementAndGet();
    }
  }
}
