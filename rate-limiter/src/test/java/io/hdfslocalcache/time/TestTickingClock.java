/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.time;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** The clock of a running DataNode. */
public class TestTickingClock {

  @Test(timeout = 300_000)
  public void startsAtZero_goesOnInMilliseconds_untilClosed() throws Exception {
    long start = System.nanoTime();
    TickingClock clock = new TickingClock();
    assertEquals(0, clock.millis());
    clock.start();
    clock.start();
    while (clock.millis() == 0) {
      Thread.sleep(10);
    }
    long now = clock.millis();
    long real = (System.nanoTime() - start) / 1_000_000;
    assertTrue(now + " of " + real, 0 < now && now <= real);
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
}
