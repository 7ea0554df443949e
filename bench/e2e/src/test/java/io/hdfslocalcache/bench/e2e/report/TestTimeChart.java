/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;

import io.hdfslocalcache.bench.e2e.report.Results.Timeline;
import org.junit.Test;
import org.w3c.dom.Document;

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

  @Test
  public void everyDataNode_hasALine_withAPointForEachSecond() throws Exception {
    Long[] reads = Collections.nCopies(100, 150L).toArray(new Long[0]);
    List<Timeline> timelines = new ArrayList<>(List.of(timeline("stock", 1, reads)));
    timelines.add(timeline("local cache", 1, Collections.nCopies(100, 600L).toArray(reads)));

    String svg = TimeChart.svg("Title", TimeChart.lines(timelines));

    Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    var lines = document.getElementsByTagName("polyline");
    assertEquals(2, lines.getLength());
    assertEquals(100, lines.item(1).getAttributes().getNamedItem("points").getNodeValue()
        .split(" ").length);
    assertTrue("the highest is at the top", lines.item(1).getAttributes().getNamedItem("points")
        .getNodeValue().contains(",34.0 "));
    assertTrue(svg.contains(">local cache</text>"));
    assertTrue(svg.contains(">100</text>"));
  }
}
