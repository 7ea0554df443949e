/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;

import java.util.List;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;
import org.junit.Test;

public class TestLastHour {

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();

  @Test
  public void add_moreThanAnHour_theOldestGiveWay() {
    LastHour hour = new LastHour();
    metrics.read(ReadOutcome.HIT, 100, 0);
    metrics.add(Event.BYTES_MEMORY, 30);
    metrics.read(ReadOutcome.BYPASS_OFF, 0, 7);
    metrics.add(Event.FILL_WRITTEN_BYTES, 9);
    List<Directory> ssds =
        List.of(new Directory("/ssd1", 10, 100, 0, 0, 0, 0, 0, -1, 0),
        new Directory("/ssd2", 20, 200, 3, 0, 0, 0, 0, 0, 0));
    for (int minute = 0; minute < 100; minute++) {
      hour.add(metrics, ssds, minute);
    }
    assertEquals(61, hour.samples().size());
    assertEquals(39, hour.samples().get(0).millis());
    assertEquals(new LastHour.Sample(99, 70, 30, 7, 9, 30, 300, 2, 1), hour.samples().get(60));
  }

  @Test
  public void recent_moreThanTen_theOldestIsForgotten() {
    for (int i = 0; i < 12; i++) {
      metrics.recent().add("event " + i + "\n");
    }
    List<RecentEvents.Happened> last = metrics.recent().newestFirst();
    assertEquals(10, last.size());
    assertEquals("one line", "event 11\\u000a", last.get(0).text());
    assertEquals("event 2\\u000a", last.get(9).text());
  }
}
