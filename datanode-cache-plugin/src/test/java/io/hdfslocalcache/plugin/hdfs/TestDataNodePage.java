/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.testing.Chromium;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A DataNode's web page in a browser. {@code -Dscreenshot=FILE} saves a picture of a page with
 * hits.
 */
public class TestDataNodePage {

  private static final int LENGTH = 100_000;
  private static final String SSDS = "local-cache-ssds";
  private static final String MEMORY = "local-cache-memory";
  private static final String READS = "local-cache-reads";
  private static final String PAGES = "local-cache-pages";
  /** The upper edge of a chart. */
  private static final int HIGHEST = 1;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Chromium browser;

  @Before
  public void findBrowser() {
    browser = Chromium.find(folder.getRoot().toPath()).orElse(null);
    assumeTrue(Chromium.MISSING, browser != null);
  }

  private static String url(LocalCacheCluster cluster) {
    return "http://127.0.0.1:" + cluster.dataNode(0).getInfoPort() + "/datanode.html";
  }

  private String page(LocalCacheCluster cluster) throws Exception {
    String document = browser.documentOf(url(cluster));
    // The rest of the page is unchanged.
    assertTrue(document, document.contains("<h1>Volume Information</h1>"));
    return document;
  }

  /** The page, once the metrics of the last period are in it. */
  private String pageWith(LocalCacheCluster cluster, String table, String cell) throws Exception {
    String[] last = new String[1];
    LocalCacheCluster.await(cell + " in " + table, () -> {
      try {
        last[0] = page(cluster);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return !rows(last[0], table).isEmpty() && rows(last[0], table).get(0).contains(cell);
    });
    return last[0];
  }

  /** The text of all cells of a table's body, as HTML. */
  private static List<List<String>> rows(String document, String table) {
    Matcher body = Pattern.compile("id=\"" + table + "\">.*?<tbody[^>]*>(.*?)</tbody>",
        Pattern.DOTALL).matcher(document);
    List<List<String>> rows = new ArrayList<>();
    if (body.find()) {
      for (String row : body.group(1).split("</tr>")) {
        List<String> cells = new ArrayList<>();
        for (String cell : row.split("</td>")) {
          cells.add(cell.replaceAll("<[^>]*>", ""));
        }
        rows.add(cells);
      }
    }
    return rows;
  }

  private static String state(String document) {
    Matcher header =
        Pattern.compile("<h1>Local Cache <span[^>]*>([\\w-]+)</span>").matcher(document);
    return header.find() ? header.group(1) : "none";
  }

  @Test
  public void page_afterHits_showsSsdsReadsAndPages() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder().ssds(2).start()) {
      cluster.write("/file", LENGTH);
      cluster.readUntilCached("/file");
      cluster.read("/file");
      cluster.read("/file");
      String document = pageWith(cluster, READS, "66.7 %");
      assertEquals("filling", state(document));
      assertTrue("it is normal",
          document.contains("<h1>Local Cache <span class=\"label label-success\">"));
      assertEquals(Arrays.asList("this DataNode", "66.7 %", "66.7 %", "2", "0", "1", "0",
          "195.3 KB", "0 B", "97.7 KB", "0 B"), rows(document, READS).get(0));
      // The second read from the SSD has moved them into memory.
      assertEquals("pages in memory", "7", rows(pageWith(cluster, MEMORY, "7"), MEMORY).get(0).get(1));
      List<String> pages = rows(document, PAGES).get(0);
      assertEquals("cached pages", "7", pages.get(1));
      assertEquals("filled pages", "7", pages.get(3));
      assertEquals("errors", "0", pages.get(9));
      List<List<String>> ssds = rows(document, SSDS);
      for (int i = 0; i < 2; i++) {
        assertEquals(cluster.directory().resolve("ssd" + i).toString(), ssds.get(i).get(0));
        assertEquals("NORMAL", ssds.get(i).get(1));
        assertEquals("", ssds.get(i).get(2));
        assertEquals("64 MB", ssds.get(i).get(4));
      }
      assertEquals("pages of both SSDs", 7,
          Integer.parseInt(ssds.get(0).get(5)) + Integer.parseInt(ssds.get(1).get(5)));
    }
  }

  /** @return the heights of a chart's lines, each from its oldest point to its newest. */
  private static List<List<Integer>> lines(String document, String chart) {
    Matcher drawn = Pattern.compile("<svg[^>]*id=\"" + chart + "\".*?</svg>", Pattern.DOTALL)
        .matcher(document);
    assertTrue(chart, drawn.find());
    return Pattern.compile("points=\"([^\"]*)\"").matcher(drawn.group()).results()
        .map(line -> Arrays.stream(line.group(1).split(" "))
            .map(point -> Integer.valueOf(point.split(",")[1])).toList()).toList();
  }

  @Test
  public void page_lastHour_isDrawnWithWhatHappened() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder().ssds(2).start()) {
      Monitoring monitoring = cluster.interceptor(0).monitoring();
      LocalCacheCluster.await("the first minute", () -> monitoring.getLastHour().size() == 1);
      cluster.write("/file", LENGTH);
      // As if a minute passed after each step.
      monitoring.takeDown();
      cluster.readUntilCached("/file");
      monitoring.takeDown();
      cluster.read("/file");
      monitoring.takeDown();
      cluster.interceptor(0).onOff().setOn(false, "<b>test</b>");
      cluster.interceptor(0).onOff().setOn(true, "test");
      String document = page(cluster);
      List<List<Integer>> reads = lines(document, "local-cache-chart-reads");
      assertEquals("SSD, memory and data volumes", 3, reads.size());
      int missed = reads.get(2).indexOf(HIGHEST);
      assertTrue("from the data volume: " + reads, missed > 0);
      assertTrue("later from the SSD: " + reads, reads.get(0).indexOf(HIGHEST) > missed);
      assertTrue(lines(document, "local-cache-chart-fills").get(0).indexOf(HIGHEST) >= missed);
      assertEquals("used, and not normal", 2, lines(document, "local-cache-chart-ssds").size());
      assertEquals(List.of("switched on: test", "switched off: &lt;b&gt;test&lt;/b&gt;"),
          rows(document, "local-cache-events").stream().map(row -> row.get(1)).toList());
      keepPicture(cluster);
      cluster.interceptor(0).onOff().setOn(false, "test");
      assertEquals("off", state(page(cluster)));
    }
  }

  private void keepPicture(LocalCacheCluster cluster) throws Exception {
    String png = System.getProperty("screenshot", "");
    if (!png.isEmpty()) {
      pageWith(cluster, READS, "50.0 %");
      browser.screenshot(url(cluster), Path.of(png), 1280, 1500);
    }
  }

  @Test
  public void page_ssdDown_showsTheReasonAsText() throws Exception {
    // No probe brings the SSD back before the page is read.
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set(TestingConfig.PROBE_INTERVAL, "1h").start()) {
      String reason = "<img src=x onerror=\"document.title='broken in'\"> & more";
      SsdHealth health = cluster.cache(0).directories().all().get(0).io().health();
      while (health.mayRead()) {
        health.failed(Operation.PAGE_READ, new IOException(reason));
      }
      String document = page(cluster);
      List<String> ssd = rows(document, SSDS).get(0);
      assertEquals("DOWN", ssd.get(1));
      assertEquals("cannot be read: " + reason.replace("&", "&amp;").replace("<", "&lt;")
          .replace(">", "&gt;"), ssd.get(2));
      assertTrue(document.contains("<title>DataNode Information</title>"));
    }
  }

  @Test
  public void page_stockDataNode_isAsItWas() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set(BlockReaderInterceptor.CLASS_KEY, "").start()) {
      String document = page(cluster);
      assertFalse(document, document.contains("Local Cache"));
      assertFalse(document, document.contains("id=\"local-cache"));
    }
  }
}
