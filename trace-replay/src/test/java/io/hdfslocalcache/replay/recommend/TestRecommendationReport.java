/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Map;

import org.junit.Test;

/** What the report claims, and why it recommends what it does. */
public class TestRecommendationReport {

  /** Offload of 50 %; beside the first filling of 90 GB, half an SSD is written a day. */
  private static Tried tried() {
    return new Tried(0.5, 140);
  }

  private static String text(Tried tried) throws IOException {
    return RecommendationReport.of(
        tried.recommendation(), "trace.csv", Map.of("key", "a<b"), "dn1").text();
  }

  private static String html(Tried tried) throws IOException {
    return RecommendationReport.of(
        tried.recommendation(), "trace.csv", Map.of("key", "a<b"), "dn1").html();
  }

  private static void assertSays(String expected, String text) {
    assertTrue(text, text.contains(expected));
  }

  @Test
  public void summary_isThatOfTheRecommendedLimiter() throws IOException {
    String text = text(tried().threshold(1, 0.9, 500));
    assertTrue(text, text.startsWith("A local cache of 100 GB for dn1\n"));
    assertSays("50.0 % of the bytes that clients read would come from the SSD instead of the HDDs, "
        + "whose heads would be busy 60.0 % less.", text);
    assertSays("writes of the whole SSD a day, its first filling included; 1 are allowed: 1.40\n",
        text);
    assertSays("HDD reads saved in 24.0 hours: 600\n", text);
  }

  @Test
  public void life_firstFillingDoesNotCount() throws IOException {
    String life = "life of the SSD, if its maker promises 1 writes a day for 5 years: ";
    assertSays(life + "10.0 years\n", text(tried().threshold(1, 0.5, 1)));
    assertSays(life + "2.5 years\n", text(new Tried(0.5, 290).threshold(1, 0.5, 1)));
    for (long filledOnceOrNotAtAll : new long[] {90, 10}) {
      assertSays(life + "more than 20 years\n",
          text(new Tried(0.5, filledOnceOrNotAtAll).threshold(1, 0.5, 1)));
    }
  }

  @Test
  public void why_noOtherLimiterIsBetter() throws IOException {
    String why = "No limiter that was tried brings more offload on this SSD.";
    assertSays(why, text(tried().threshold(1, 0.4, 10).threshold(2, 0.5009, 10)));
    assertFalse(text(tried().threshold(1, 0.502, 10)).contains(why));
  }

  @Test
  public void why_theBetterOneWritesTooMuch() throws IOException {
    assertSays("The limiter bucket-time with X = 3 and Y = 10m would bring an offload of 70.0 %, "
        + "but write the SSD 5.90 times a day: it would last 1.0 years instead of 10.0 years.",
        text(tried().threshold(1, 0.6, 200).threshold(3, 0.7, 590)));
  }

  @Test
  public void why_theBetterOneHasAFixedThreshold() throws IOException {
    assertSays("The limiter bucket-time with X = 3 and Y = 10m would bring an offload of 70.0 %, "
        + "but nothing would keep its writes within what the SSD endures when the reads change: "
        + "its threshold is fixed.", text(tried().threshold(3, 0.7, 95)));
  }

  @Test
  public void hdds_worseThanWithout_isSaidBelowTheirCharts() throws IOException {
    String html = html(tried().threshold(1, 0.4, 10));
    assertSays("In hour 2, the worst, they would be busy 120.0 % of the time that they are without "
        + "a local cache.", html);
    assertSays("Minutes with a backlog: 5 without a local cache, 5 with it; minutes until the "
        + "longest is gone: 90 and never.", html);
    assertEquals(6, html.split("\"kind\":\"CHART\"", -1).length - 1);
    assertFalse(html, html.contains("NaN\""));
  }

  @Test
  public void tables_markTheChosenOnes_andShowNoShareOfNoEvictions() throws IOException {
    String html = html(tried().threshold(1, 0.4, 10).threshold(2, 0.3, 10));
    assertEquals("once in each table", 5, html.split("\"chosen\":\\[[a-z,]*true").length - 1);
    assertSays("\"-\",\"60.0 %\",\"120 % (2)\"", html);
  }

  @Test
  public void fragment_isThatOfTheFile() throws IOException {
    assertSays("<name>key</name>\n  <value>a&lt;b</value>", text(tried().threshold(1, 0.4, 10)));
  }
}
