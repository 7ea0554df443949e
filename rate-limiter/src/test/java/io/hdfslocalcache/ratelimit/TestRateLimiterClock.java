/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** The clock of a running DataNode. */
public class TestRateLimiterClock {

  @Test(timeout = 300_000)
  public void tickingClock_goesOnUntilClosed() throws Exception {
    TickingClock clock = new TickingClock();
    assertEquals(0, clock.millis());
    clock.start();
    clock.start();
    while (clock.millis() == 0) {
      Thread.sleep(10);
    }
    clock.close();
    while (threadIsAlive()) {
      Thread.sleep(10);
    }
    long stopped = clock.millis();
    Thread.sleep(150);
    assertEquals(stopped, clock.millis());
  }

  private static boolean threadIsAlive() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("local-cache-clock"));
  }

  @Test
  public void systemClock_startsAtZero_neverDecreases_movesInMilliseconds() {
    long startNanos = System.nanoTime();
    RateLimiterClock clock = RateLimiterClock.system();
    long last = clock.millis();
    assertTrue(last >= 0);
    while (last < 3) {
      long now = clock.millis();
      assertTrue(now >= last);
      last = now;
    }
    long realMillis = (System.nanoTime() - startNanos) / 1_000_000;
    assertTrue(last + " of " + realMillis, last <= realMillis);
  }
}
