/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.Test;

public class TestUpkeep {

  @Test
  public void run_failsForWantOfMemory_isRunAgain() throws Exception {
    CountDownLatch rounds = new CountDownLatch(3);
    try (Upkeep upkeep = new Upkeep("test", isClosing -> {
      rounds.countDown();
      throw new OutOfMemoryError("thrown by a test");
    })) {
      assertTrue(rounds.await(60, TimeUnit.SECONDS));
    }
  }
}
