/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.Test;

public class TestWait {

  @Test
  public void until_asksUntilItIsSo() throws Exception {
    AtomicInteger asked = new AtomicInteger();

    assertTrue(Wait.until(() -> asked.incrementAndGet() == 3, Duration.ofMinutes(1), 0));
    assertEquals(3, asked.get());
  }

  @Test
  public void until_neverSo_givesUp() throws Exception {
    assertFalse(Wait.until(() -> false, Duration.ofMillis(5), 1));
  }

  @Test
  public void millis_interrupted_throwsAndStaysInterrupted() {
    Thread.currentThread().interrupt();

    assertThrows(InterruptedIOException.class, () -> Wait.millis(60_000));
    assertTrue(Thread.interrupted());
  }
}
