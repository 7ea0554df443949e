/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;

import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Test;
import org.slf4j.LoggerFactory;

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

  @Test
  public void offload_isOfWhatClientsGot() {
    assertNull(metrics.offload());
    metrics.read(ReadOutcome.BYPASS_NOT_CLIENT, 0, 1000);
    assertNull(metrics.offload());
    metrics.read(ReadOutcome.PARTIAL_HIT, 10, 20);
    metrics.read(ReadOutcome.BYPASS_OFF, 0, 10);
    assertEquals(0.25, metrics.offload(), 0);
  }

  @Test
  public void error_ofAnSsd_isLoggedWithItsDirectory() {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(LocalCacheMetrics.class));
    metrics.error(Operation.PAGE_WRITE, Path.of("/ssd/3"),
        new IOException("No space left on device"));
    metrics.error(Operation.LOOKUP, new IOException("Input/output error"));
    log.stopCapturing();
    assertTrue(log.getOutput(), log.getOutput().contains("PAGE_WRITE failed (NO_SPACE) on /ssd/3: "
        + "java.io.IOException: No space left on device; "));
    assertTrue(log.getOutput(), log.getOutput().contains("LOOKUP failed (IO): "));
  }
}
