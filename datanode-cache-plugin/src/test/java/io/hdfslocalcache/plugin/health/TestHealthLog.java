/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import org.junit.Test;

/** Messages to the NameNodes about SSDs. */
public class TestHealthLog {

  private static final Path SSD = Path.of("/ssd/0");
  private static final Path OTHER = Path.of("/ssd/1");

  private final List<String> reports = new ArrayList<>();
  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private long now = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(90);
  private final HealthLog log = new HealthLog(metrics, reports::add, () -> now);

  @Test
  public void worse_isReported_betterIsNot() {
    log.changed(SSD, SsdState.NORMAL, SsdState.DEGRADED, "cannot be written");
    log.changed(SSD, SsdState.DEGRADED, SsdState.DOWN, "cannot be read");
    log.changed(SSD, SsdState.DOWN, SsdState.PROBING, "cannot be read");
    log.changed(SSD, SsdState.PROBING, SsdState.DOWN, "probe: cannot be read");
    log.changed(SSD, SsdState.DOWN, SsdState.PROBING, "probe: cannot be read");
    log.changed(SSD, SsdState.PROBING, SsdState.NORMAL, "");
    assertEquals(List.of(
        "local cache directory /ssd/0 is degraded: cannot be written; no replica is affected",
        "local cache directory /ssd/0 is down: cannot be read; no replica is affected"), reports);
    assertEquals(6, metrics.total(Event.HEALTH_CHANGES));
  }

  @Test
  public void notOpenedSinceTheStart_wasNothingBefore() {
    log.changed(SSD, null, SsdState.DOWN, "not mounted");
    assertEquals("/ssd/0 is DOWN: not mounted", metrics.recent().newestFirst().get(0).text());
  }

  private void flap(SsdState worse) {
    log.changed(SSD, SsdState.NORMAL, worse, "late");
    log.changed(SSD, worse, SsdState.NORMAL, "");
  }

  /** An SSD that fails and recovers every 30 s for a day. */
  @Test
  public void flapping_oneLineAnHourForEachState_saysHowManyItStandsFor() {
    for (int i = 0; i < 24 * 60; i++) {
      flap(SsdState.DEGRADED);
      now += TimeUnit.SECONDS.toNanos(30);
      flap(SsdState.DOWN);
      now += TimeUnit.SECONDS.toNanos(30);
    }
    assertEquals(2 * 24, reports.size());
    assertEquals("local cache directory /ssd/0 is down: late; no replica is affected; "
        + "59 more times since the last report", reports.get(reports.size() - 1));
    assertEquals(24 * 60 * 4, metrics.total(Event.HEALTH_CHANGES));
  }

  @Test
  public void flapping_otherSsdAndLaterTrouble_areReported() {
    for (int i = 0; i < 10; i++) {
      flap(SsdState.DOWN);
    }
    log.changed(OTHER, SsdState.NORMAL, SsdState.DOWN, "late");
    assertEquals(2, reports.size());
    assertTrue(reports.get(1), reports.get(1).contains("/ssd/1 is down: late"));
    now += TimeUnit.HOURS.toNanos(1);
    flap(SsdState.DOWN);
    assertEquals(3, reports.size());
    assertTrue(reports.get(2), reports.get(2).endsWith("9 more times since the last report"));
    now += TimeUnit.HOURS.toNanos(1);
    flap(SsdState.DOWN);
    assertTrue(reports.get(3), reports.get(3).endsWith("no replica is affected"));
  }
}
