/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.util.List;

import org.junit.Test;

public class TestTraffic {

  private static final double SMALL = 1e-9;

  private final Traffic traffic = new Traffic(List.of(
      new Traffic.Sample(-500, 1000, 2000, 10, 5),
      new Traffic.Sample(1500, 1000, 4000, 20, 5),
      new Traffic.Sample(2500, 1600, 4200, 40, 20)), 1);

  @Test
  public void between_twoSamples_isInProportion() {
    assertEquals(1000, traffic.fromReplicas(0, 1000));
    assertEquals(500 + 100, traffic.fromReplicas(1000, 2000));
    assertEquals(300, traffic.fromLocalCache(1000, 2000));
  }

  @Test
  public void between_afterTheLastSample_isNothing() {
    assertEquals(0, traffic.fromReplicas(3000, 4000));
    assertFalse(traffic.offload(3000, 4000).isPresent());
  }

  @Test
  public void shares_allSamples_countFromTheFirst() {
    assertEquals(600.0 / 2800, traffic.offload(Long.MIN_VALUE, Long.MAX_VALUE).getAsDouble(), SMALL);
    assertEquals(15.0 / 30, traffic.reuse(Long.MIN_VALUE, Long.MAX_VALUE).getAsDouble(), SMALL);
  }

  @Test
  public void shares_nothingHeard_areUnknown() {
    Traffic silent = new Traffic(List.of(), 3);
    assertFalse(silent.isKnown());
    assertFalse(silent.offload(Long.MIN_VALUE, Long.MAX_VALUE).isPresent());
    assertEquals(0, silent.fromReplicas(0, 1000));
    assertEquals(3, silent.silentDataNodes());
  }
}
