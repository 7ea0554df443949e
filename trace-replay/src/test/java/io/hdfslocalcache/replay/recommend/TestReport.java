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
public class TestReport {

  /** Offload of 50 %; beside the first filling of 90 GB, half an SSD is written a day. */
  private static Tried tried() {
    return new Tried(0.5, 140);
  }

  private static String html(Tried tried) throws IOException {
    return new Report(tried.recommendation(), "trace.csv", Map.of("key", "a<b"), "dn1").html();
  }

  private static void assertSays(String expected, String html) {
    assertTrue(html, html.contains(expected));
  }

  @Test
  public void summary_isThatOfTheRecommendedLimiter() throws IOException {
    String html = html(tried().threshold(1, 0.9, 500));
    assertSays("<h1>A local cache of 100 GB for dn1</h1>", html);
    assertSays("50.0 % of the bytes that clients read would come from the SSD instead of the HDDs, "
        + "whose heads would be busy 60.0 % less.", html);
    assertSays("<dt>writes of the whole SSD a day, its first filling included; 1 are allowed</dt>"
        + "<dd>1.40</dd>", html);
    assertSays("<dt>HDD reads saved in 24.0 hours</dt><dd>600</dd>", html);
  }

  @Test
  public void life_firstFillingDoesNotCount() throws IOException {
    String life = "<dt>life of the SSD, if its maker promises 1 writes a day for 5 years</dt><dd>";
    assertSays(life + "10.0 years</dd>", html(tried().threshold(1, 0.5, 1)));
    assertSays(life + "2.5 years</dd>", html(new Tried(0.5, 290).threshold(1, 0.5, 1)));
    for (long filledOnceOrNotAtAll : new long[] {90, 10}) {
      assertSays(life + "more than 20 years</dd>",
          html(new Tried(0.5, filledOnceOrNotAtAll).threshold(1, 0.5, 1)));
    }
  }

  @Test
  public void why_noOtherLimiterIsBetter() throws IOException {
    String why = "No limiter that was tried brings more offload on this SSD.";
    assertSays(why, html(tried().threshold(1, 0.4, 10).threshold(2, 0.5009, 10)));
    assertFalse(html(tried().threshold(1, 0.502, 10)).contains(why));
  }

  @Test
  public void why_theBetterOneWritesTooMuch() throws IOException {
    assertSays("The limiter bucket-time with X = 3 and Y = 10m would bring an offload of 70.0 %, "
        + "but write the SSD 5.90 times a day: it would last 1.0 years instead of 10.0 years.",
        html(tried().threshold(1, 0.6, 200).threshold(3, 0.7, 590)));
  }

  @Test
  public void why_theBetterOneHasAFixedThreshold() throws IOException {
    assertSays("The limiter bucket-time with X = 3 and Y = 10m would bring an offload of 70.0 %, "
        + "but nothing would keep its writes within what the SSD endures when the reads change: "
        + "its threshold is fixed.", html(tried().threshold(3, 0.7, 95)));
  }

  @Test
  public void hdds_worseThanWithout_isSaid() throws IOException {
    String html = html(tried().threshold(1, 0.4, 10));
    assertSays("In hour 2, the worst, they would be busy 120.0 % of the time that they are without "
        + "a local cache.", html);
    assertSays("Minutes with a backlog: 5 without a local cache, 5 with it; minutes until the "
        + "longest is gone: 90 and never.", html);
  }

  @Test
  public void tables_markTheChosenOnes_andShowNoShareOfNoEvictions() throws IOException {
    String html = html(tried().threshold(1, 0.4, 10).threshold(2, 0.3, 10));
    assertEquals("once in each table", 5, html.split("<tr class=\"chosen\">", -1).length - 1);
    assertEquals("and two others", 7, html.split("<td>", -1).length / 17);
    assertSays("<td>-</td><td>600</td><td>60 s (60.0 %)</td><td>120.0 % (hour 2)</td>", html);
    assertFalse(html.contains("NaN"));
  }

  @Test
  public void fragment_isEscapedTwice_asItIsTextOfAFile() throws IOException {
    assertSays("&lt;name&gt;key&lt;/name&gt;\n  &lt;value&gt;a&amp;lt;b&lt;/value&gt;",
        html(tried().threshold(1, 0.4, 10)));
  }
}
