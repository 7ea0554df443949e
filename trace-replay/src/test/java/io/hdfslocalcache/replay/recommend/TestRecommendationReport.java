/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import io.hdfslocalcache.harness.Report;
import org.junit.Test;

/** What the report claims, and why it recommends what it does. */
public class TestRecommendationReport {

  private static Report report(Simulated simulated) throws IOException {
    return RecommendationReport.of(
        simulated.recommendation(), "trace.csv", "<name>key</name>");
  }

  private static void assertSays(String expected, String text) {
    assertTrue(text, text.contains(expected));
  }

  @Test
  public void summary_isThatOfTheRecommendedLimiter() throws IOException {
    String text = report(Simulated.steady()).text();
    assertTrue(text, text.startsWith("A local cache of 100 GB for this DataNode\n"));
    assertSays("50.0 to 60.0 % of the bytes read come from the SSD (the halves of the trace after "
        + "the SSD was full), and the heads of the HDDs are busy 60.0 % less. The trace is 20.0 "
        + "hours long; over all of it, the offload is 37.0 %.\n", text);
    assertSays("writes of the whole SSD a day after its first filling; 1 are allowed: 0.48 to 1.00\n"
        + "life of the SSD, if its maker promises 1 writes a day for 5 years: 5.0 to 10.4 years\n",
        text);
    assertSays("HDD reads saved in 20.0 hours: 600\n", text);
    assertSays("For each TB of reads that the SSD takes off the HDDs, 0.82 TB are written to it", text);
    assertSays("Over 5 years, a TB of reads that is taken off costs 3.896 to 4.676, in", text);
  }

  @Test
  public void traceOf80Seconds_hasNoFigureOfADayOrAYear() throws IOException {
    String text = report(new Simulated(80 / 3600.0, 20).spans(0, 20, 0.4, 10)).text();
    assertSays("A trace of 80 s is too short", text);
    assertFalse(text, text.contains("a day after its first filling"));
    assertFalse(text, text.contains("years"));
    assertSays("HDD reads saved in 80 s: 600\n", text);
    assertEquals("in each table", 3, text.lines().filter(line -> line.matches(
        " *100 GB +1 MB +1 +40.0 % +60.0 % +36 s +- +- +-")).count());
  }

  @Test
  public void hdds_worseThanWithout_isSaidBelowTheirCharts() throws IOException {
    String html = report(Simulated.steady()).html();
    assertSays("In hour 2, the worst, they would be busy 120.0 % of the time that they are without "
        + "a local cache.", html);
    assertSays("99 % of the reads wait for them 0.300 s at most, without a local cache 0.300 s. "
        + "Minutes until the longest backlog is gone: never and 90.", html);
    assertEquals(3, html.split("\"kind\":\"CHART\"", -1).length - 1);
    assertFalse(html, html.contains("NaN\""));
    assertEquals("once in each table", 3, html.split("\"chosen\":\\[[a-z,]*true").length - 1);
  }

  @Test
  public void fragment_isThatOfTheFile() throws IOException {
    assertSays("<name>key</name>", report(Simulated.steady()).text());
  }
}
