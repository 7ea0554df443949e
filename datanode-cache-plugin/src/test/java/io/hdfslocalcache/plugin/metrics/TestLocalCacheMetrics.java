/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.Test;

public class TestLocalCacheMetrics {

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();

  @Test
  public void shortCircuitShare_isOfAllThatClientsDid() {
    metrics.read(ReadOutcome.HIT, 10, 0);
    metrics.read(ReadOutcome.MISS_NOT_ADMITTED, 0, 10);
    metrics.read(ReadOutcome.BYPASS_OFF, 0, 10);
    metrics.read(ReadOutcome.BYPASS_NOT_CLIENT, 0, 10);
    assertNull("not known", metrics.shortCircuitShare());
    metrics.setShortCircuitOpens(() -> 0);
    assertNull("none", metrics.shortCircuitShare());
    metrics.setShortCircuitOpens(() -> 1);
    assertEquals(0.25, metrics.shortCircuitShare(), 0);
  }
}
