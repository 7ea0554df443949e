/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** A volume is busy while several reads wait for it. */
public class TestBusyVolumes {

  private final BusyVolumes volumes = new BusyVolumes();

  @Test
  public void begin_severalAtATime_isBusyUntilTheyHaveEnded() {
    BusyVolumes.Waiting first = volumes.begin("v");
    BusyVolumes.Waiting second = volumes.begin("v");
    assertFalse(second.isBusy());
    try (BusyVolumes.Waiting third = volumes.begin("v")) {
      assertTrue(third.isBusy());
      assertFalse("another volume", volumes.begin("w").isBusy());
    }
    first.close();
    assertFalse(volumes.begin("v").isBusy());
    second.close();
  }

  @Test
  public void begin_volumeThatNobodyKnows_isCountedToo() {
    volumes.begin(null);
    volumes.begin(null);
    assertTrue(volumes.begin(null).isBusy());
  }
}
