/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.List;

import io.hdfslocalcache.harness.Chart.Axis;
import io.hdfslocalcache.harness.Chart.Look;
import io.hdfslocalcache.harness.Chart.Point;
import org.junit.Test;

/** What is drawn of a few points. */
public class TestChart {

  private static Chart chart() {
    return new Chart(Axis.upTo("hours", 10), Axis.percent("offload, %"));
  }

  @Test
  public void svg_line_goesThroughAllPointsAndMarksThoseWithAHint() {
    String svg = chart().add("with", Look.MAIN,
        List.of(new Point(0, 0, "<none>"), new Point(10, 100, null))).svg("a & b");
    // The corners of the plane.
    assertTrue(svg, svg.contains("points=\"56.0,292.0 624.0,34.0 \""));
    assertTrue(svg, svg.contains("<title>&lt;none&gt;</title>"));
    assertEquals(1, svg.split("<title>").length - 1);
    assertTrue(svg, svg.contains("aria-label=\"a &amp; b\""));
    assertTrue("in the legend", svg.contains(">with</text>"));
  }

  @Test
  public void svg_pointsOutside_areAtTheEdge() {
    String svg = chart().add("", Look.CHOSEN, List.of(new Point(20, 120, "far"))).svg("");
    assertTrue(svg, svg.contains("cx=\"624.0\" cy=\"34.0\" r=\"6\""));
    assertFalse("no line", svg.contains("polyline"));
  }

  @Test
  public void svg_limit_isDrawnIfItIsOnTheAxis() {
    assertTrue(chart().limit(5, "allowed").svg("").contains("allowed"));
    assertFalse(chart().limit(11, "allowed").svg("").contains("allowed"));
  }
}
