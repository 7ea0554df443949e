/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.Test;
import org.w3c.dom.Document;

public class TestRatioChart {

  @Test
  public void everyLine_hasADot_farOnesAtTheEdge() throws Exception {
    String svg = RatioChart.svg("Title", List.of(
        new RatioChart.Line("hit/seq-1", "stock again", new Interval(1, 0.9, 1.1)),
        new RatioChart.Line("hit/seq-1", "in memory", new Interval(50, 40, 60)),
        new RatioChart.Line("hit/seq-4", "from SSD", new Interval(0.5, Double.NaN, Double.NaN))));

    Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    var dots = document.getElementsByTagName("circle");
    assertEquals(3, dots.getLength());
    assertEquals("540", dots.item(0).getAttributes().getNamedItem("cx").getNodeValue());
    assertEquals("820", dots.item(1).getAttributes().getNamedItem("cx").getNodeValue());
    assertTrue("small enough to be kept: " + svg.length(), svg.length() < 10_000);
  }
}
