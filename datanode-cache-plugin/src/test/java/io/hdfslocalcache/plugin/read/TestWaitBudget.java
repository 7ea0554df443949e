/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.junit.Test;

/** All waits of a read together take no longer than the data volume would, and a second more. */
public class TestWaitBudget {

  private static final int MB = 1 << 20;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long clock = -SECOND;
  private long volumeNanos;
  private final WaitBudget budget = new WaitBudget(SECOND, () -> clock, bytes -> volumeNanos);

  /** Something that takes so long, and is given up when it is not done in time. */
  private WaitBudget.Wait taking(long millis) {
    return nanos -> {
      long takes = TimeUnit.MILLISECONDS.toNanos(millis);
      clock += Math.min(takes, nanos);
      if (takes > nanos) {
        throw new IOException("too late");
      }
    };
  }

  /** Reads a file from an SSD that takes so long for each MB. @return milliseconds waited */
  private long read(int megabytes, long millis) {
    long begin = clock;
    for (int i = 0; i < megabytes && !budget.isOverdrawn(); i++) {
      try {
        budget.await(MB, taking(millis));
      } catch (IOException e) {
        assertTrue(budget.isOverdrawn());
      }
    }
    return TimeUnit.NANOSECONDS.toMillis(clock - begin);
  }

  private static void assertAtMost(long most, long is) {
    assertTrue(is + " ms, at most " + most, is <= most);
  }

  @Test
  public void await_fastSsd_costsNothing() {
    assertEquals(10_000, read(1000, 10));
    assertFalse(budget.isOverdrawn());
  }

  @Test
  public void await_slowSsds_giveUpAfterASecondMoreThanAnIdleDisk() {
    for (long millis : new long[] {53, 123, 860}) {
      WaitBudget one = new WaitBudget(SECOND, () -> clock, bytes -> 0);
      long begin = clock;
      int pages = 0;
      while (!one.isOverdrawn()) {
        pages++;
        try {
          one.await(MB, taking(millis));
        } catch (IOException e) {
          break;
        }
      }
      assertTrue(one.isOverdrawn());
      assertAtMost(1000 + pages * 11L, TimeUnit.NANOSECONDS.toMillis(clock - begin));
    }
  }

  @Test
  public void await_hangs_getsWhatIsLeftAndNoMore() {
    read(5, 110);
    long before = clock;
    assertThrows(IOException.class, () -> budget.await(MB, taking(1_000_000)));
    assertAtMost(520, TimeUnit.NANOSECONDS.toMillis(clock - before));
    assertTrue(budget.isOverdrawn());
    assertEquals("no more waits", 0, read(64, 1));
  }

  @Test
  public void awaitVolume_isBusy_whatTheReadWouldWaitThereIsFree() throws IOException {
    volumeNanos = TimeUnit.MILLISECONDS.toNanos(400);
    for (int i = 0; i < 100; i++) {
      budget.awaitVolume(MB, taking(400));
    }
    assertFalse(budget.isOverdrawn());
    assertThrows("the SSD is not the volume", IOException.class, () -> {
      budget.await(MB, taking(400));
      budget.await(MB, taking(400));
      budget.await(MB, taking(400));
    });
    assertTrue(budget.isOverdrawn());
  }

  @Test
  public void await_fails_isChargedAndSaysWhy() {
    IOException failure = new IOException("the SSD is gone");
    assertSame(failure, assertThrows(IOException.class, () -> budget.await(0, nanos -> {
      clock += nanos;
      throw failure;
    })));
    assertTrue(budget.isOverdrawn());
  }

  @Test
  public void await_anyOrderOfWaits_neverLongerThanTheBound() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      WaitBudget one = new WaitBudget(SECOND, () -> clock, bytes -> 0);
      long begin = clock;
      long bytes = 0;
      while (!one.isOverdrawn() && bytes < 100L * MB) {
        int next = random.nextInt(MB);
        bytes += next;
        try {
          one.await(next, taking(random.nextInt(random.nextInt(20) == 0 ? 5000 : 50)));
        } catch (IOException e) {
          assertTrue(one.isOverdrawn());
        }
        long took = clock - begin;
        assertTrue("took " + took, took <= WaitBudget.longest(SECOND, bytes));
      }
    }
  }
}
