/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.fleet;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.replay.simulate.FleetResult;
import io.hdfslocalcache.replay.simulate.FleetResult.DataNode;
import org.junit.Test;

/** What is said of a fleet, as text and as a page. */
public class TestFleetReport {

  private static final String FAILURE = "dn9.csv: empty <file>";

  private static String text(FleetResult result, String... failures) {
    return new FleetReport(List.of(result), List.of(result), List.of(failures)).text();
  }

  private static String html(FleetResult result, String fragment, String... failures)
      throws IOException {
    return new FleetReport(List.of(result), List.of(result), List.of(failures)).html(fragment);
  }

  /** @return the lines that begin like this, their words one space apart. */
  private static List<String> lines(String text, String beginning) {
    return text.lines().filter(line -> line.startsWith(beginning))
        .map(line -> line.strip().replaceAll(" +", " ")).toList();
  }

  /** Two DataNodes, of which one reads three times as much and offloads less. */
  private static FleetResult two() {
    return new DataNodes().add("dn1", 0.8, 24, 2).add("dn2", 0.4, 72, 6).result();
  }

  @Test
  public void setting_isOfAllDataNodesTogether() {
    assertEquals("offload by bytes, the mean of what is written, what 120 of 200 seconds save",
        List.of("write-budget 1 GB/day - - 1 MB 4 GB 50.0 % 96 GB 4 GB 1.00 - 0.50 to 1.50 60.0 %"),
        lines(text(two()), "write-budget 1 GB/day  "));
  }

  @Test
  public void dataNodes_haveALineEach() {
    assertEquals(List.of("dn1 24,000 24 GB 0.50 80.0 % 2 GB 0.50 80.0 %",
        "dn2 72,000 72 GB 1.50 40.0 % 6 GB 1.50 40.0 %"), lines(text(two()), "dn"));
  }

  @Test
  public void dataNodeObservedForAnHour_isToldADay() {
    FleetResult result = new DataNodes().add(new DataNode("short", 1, 10, DataNodes.GB, 0.5,
        DataNodes.GB, 5, 10)).result();
    assertEquals(List.of("short 10 1 GB 1.00 50.0 % 24 GB 6.00 50.0 %"),
        lines(text(result), "short"));
  }

  @Test
  public void failedTrace_isToldWithItsReason_andNotAmongTheDataNodes() {
    String text = text(two(), FAILURE);
    assertEquals(List.of("not played: " + FAILURE), lines(text, "not played: "));
    assertEquals(List.of(), lines(text, "dn9"));
    assertEquals(List.of(), lines(text(two()), "not played: "));
  }

  @Test
  public void standingOut_isToldBeforeTheTable() {
    String text = text(new DataNodes().alike(9).add("odd", 0.2, 240, 24).result());
    assertEquals(List.of("stands out: odd: offload 20.0 %, median 61.0 %"),
        lines(text, "stands out: "));
    assertTrue(text.indexOf("stands out: ") < text.indexOf("\nodd "));
    assertEquals(List.of(), lines(text(new DataNodes().alike(9).result()), "stands out: "));
  }

  @Test
  public void html_leadsWithWhatIsSaved() throws IOException {
    String html = html(two(), "");
    assertTrue(html, html.contains("<h1>Local caches of 4 GB for 2 DataNodes</h1>"));
    assertTrue(html, html.contains("50.0 % of the bytes that clients read would come from the SSDs "
        + "instead of the HDDs, whose heads would be busy 60.0 % less (write-budget 1 GB/day)."));
    assertFalse("nobody stands out", html.contains("DataNodes that stand out"));
    assertFalse("no fragment", html.contains("For hdfs-site.xml"));
    assertEquals("no times, and one size", 3, html.split("<svg ", -1).length - 1);
  }

  @Test
  public void html_oddDataNodesFailuresAndKeys_areEscaped() throws IOException {
    String html = html(new DataNodes().alike(9).add("<odd>", 0.2, 240, 24).result(),
        "<name>key</name>", FAILURE);
    assertTrue(html, html.contains("<li>&lt;odd&gt;: offload 20.0 %, median 61.0 %</li>"));
    assertTrue(html, html.contains("<pre>&lt;name&gt;key&lt;/name&gt;</pre>"));
    assertTrue(html, html.contains("not played: dn9.csv: empty &lt;file&gt;"));
    assertFalse(html, html.contains("<odd>"));
  }

  @Test
  public void html_severalSizes_areComparedAndNamedByWhatDiffers() throws IOException {
    FleetResult small = new DataNodes("admit-all", 1 << 20, DataNodes.GB).alike(3).result();
    FleetResult large = new DataNodes("admit-all", 1 << 20, 8 * DataNodes.GB).alike(3).result();
    String html = new FleetReport(List.of(small, large), List.of(small, large), List.of()).html("");
    assertTrue(html, html.contains("What larger SSDs would bring"));
    assertTrue(html, html.contains(">SSD 1 GB</text>"));
    assertTrue(html, html.contains(">SSD 8 GB</text>"));
    assertEquals("the page is about the first", 1,
        html.split("<h1>Local caches of 1 GB for 3 DataNodes</h1>", -1).length - 1);
  }

  @Test
  public void html_moreThanThreeShown_chartsHaveThree() throws IOException {
    List<FleetResult> shown = List.of(small(1), small(2), small(4), small(8));
    String html = new FleetReport(shown, shown, List.of()).html("");
    assertTrue(html, html.contains(">page 4 MB</text>"));
    assertFalse(html, html.contains(">page 8 MB</text>"));
    assertEquals("but all are in the tables", 4, lines(html, "admit-all, SSD").size());
  }

  private static FleetResult small(int pageMegabytes) {
    return new DataNodes("admit-all", pageMegabytes << 20, DataNodes.GB).alike(3).result();
  }
}
