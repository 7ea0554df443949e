/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.report.Results.Timeline;
import org.junit.Test;

public class TestTimeChart {

  private static Timeline timeline(String variant, int round, Long... reads) {
    return new Timeline("saturated/load", variant, round, List.of(reads));
  }

  @Test
  public void line_isTheMeanOfTheRounds() {
    Map<String, List<Double>> lines = TimeChart.lines(List.of(
        timeline("stock", 1, 10L, 20L), timeline("local cache", 1, 30L, 90L),
        timeline("local cache", 2, 50L, 110L), timeline("stock", 2, 20L, 40L)));

    assertEquals(List.of("stock", "local cache"), List.copyOf(lines.keySet()));
    assertEquals(List.of(15.0, 30.0), lines.get("stock"));
    assertEquals(List.of(40.0, 100.0), lines.get("local cache"));
  }
}
