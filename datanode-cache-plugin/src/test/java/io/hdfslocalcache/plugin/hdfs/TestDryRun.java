/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Arrays;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.dryrun.Ghost;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** In a dry run nothing is written and no read is changed, and settings are compared. */
public class TestDryRun {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final int FILE = 20 * PAGE;

  private LocalCacheCluster cluster;

  @Before
  public void start() throws IOException {
    cluster = LocalCacheCluster.builder().set(LocalCacheKeys.DRY_RUN, true)
        .set(LocalCacheKeys.DRY_RUN_GHOSTS, "large, small, picky,pages-4k")
        .set(own("small", "capacity"), 16 * 20_480)
        .set(own("picky", "rate.limiter.threshold"), 2)
        .set(own("pages-4k", "page.size"), "4k")
        .set(CommonConfigurationKeysPublic.HADOOP_PROMETHEUS_ENABLED, true).start();
  }

  @After
  public void stop() {
    cluster.close();
  }

  private static String own(String ghost, String key) {
    return LocalCacheKeys.PREFIX + "dry-run.ghost." + ghost + "." + key;
  }

  private Ghost ghost(String name) {
    return cluster.interceptor(0).ghosts().all().stream()
        .filter(ghost -> ghost.name().equals(name)).findAny().orElseThrow();
  }

  private void assertPages(String ghost, long pages) {
    assertEquals(ghost, pages, ghost(ghost).gauges().pages());
  }

  private void awaitPages(String ghost, long pages) {
    LocalCacheCluster.await(pages + " pages of " + ghost,
        () -> ghost(ghost).gauges().pages() == pages);
  }

  private void awaitTotal(String ghost, Event event, long total) {
    LocalCacheCluster.await(total + " " + event + " of " + ghost,
        () -> ghost(ghost).metrics().total(event) == total);
  }

  private void assertNothingWritten() throws IOException {
    assertNull(cluster.cache(0));
    assertFalse(Files.exists(cluster.directory().resolve("ssd0")));
    assertEquals(0, cluster.metrics(0).errors());
    cluster.interceptor(0).ghosts().all().forEach(ghost ->
        assertEquals(ghost.name(), 0, ghost.metrics().errors()));
  }

  @Test
  public void reads_areRight_andEachGhostCountsBySettingsOfItsOwn() throws Exception {
    byte[] bytes = cluster.write("/file", FILE);
    for (int i = 0; i < 4; i++) {
      assertArrayEquals(bytes, cluster.read("/file"));
    }
    assertArrayEquals(Arrays.copyOfRange(bytes, 5, 5 + 3 * PAGE),
        cluster.pread("/file", 5, 3 * PAGE));
    assertPages("large", 20);
    assertPages("small", 16);
    assertPages("picky", 20);
    assertPages("pages-4k", 80);
    assertReads("large", 4, 0, 1, 0);
    // The third read is the first that picky admits.
    assertReads("picky", 2, 0, 1, 2);
    // Least recently used, and one page too many: it has none of the pages that come next.
    assertEquals(FILE * 4L + 3 * PAGE, ghost("small").metrics().total(Event.BYTES_HIT)
        + ghost("small").metrics().total(Event.BYTES_MISS));
    assertTrue(ghost("small").metrics().total(Event.EVICTIONS) > 0);
    assertEquals(3L * FILE + 3 * PAGE, ghost("large").metrics().total(Event.BYTES_HIT));
    assertEquals(20, ghost("large").metrics().total(Event.FILLS));
    assertEquals(FILE, ghost("large").metrics().total(Event.FILL_BYTES));
    assertEquals(16 * 20_480, ghost("small").status().usedBytes());
    assertNothingWritten();
  }

  private void assertReads(String ghost, long hits, long partial, long admitted, long not) {
    assertEquals(ghost, hits, ghost(ghost).metrics().reads(ReadOutcome.HIT));
    assertEquals(ghost, partial, ghost(ghost).metrics().reads(ReadOutcome.PARTIAL_HIT));
    assertEquals(ghost, admitted, ghost(ghost).metrics().reads(ReadOutcome.MISS_ADMITTED));
    assertEquals(ghost, not, ghost(ghost).metrics().reads(ReadOutcome.MISS_NOT_ADMITTED));
  }

  @Test
  public void append_invalidatesPages_andTheNextReadFillsTheNewOnes() throws Exception {
    byte[] before = cluster.write("/file", FILE);
    cluster.read("/file");
    assertPages("large", 20);
    byte[] more = cluster.append("/file", PAGE);
    awaitPages("large", 0);
    awaitTotal("large", Event.INVALIDATED_BLOCKS, 1);
    awaitTotal("large", Event.INVALIDATED_PAGES, 20);
    byte[] after = cluster.read("/file");
    assertArrayEquals(before, Arrays.copyOf(after, FILE));
    assertArrayEquals(more, Arrays.copyOfRange(after, FILE, FILE + PAGE));
    assertPages("large", 21);
    assertNothingWritten();
  }

  @Test
  public void delete_invalidatesPages() throws Exception {
    cluster.write("/file", FILE);
    cluster.read("/file");
    assertPages("pages-4k", 80);
    cluster.fs().delete(new Path("/file"), false);
    awaitPages("pages-4k", 0);
    awaitPages("small", 0);
    awaitTotal("pages-4k", Event.INVALIDATED_PAGES, 80);
    assertEquals(0, ghost("pages-4k").status().usedBytes());
    assertNothingWritten();
  }

  @Test
  public void truncate_invalidatesPages() throws Exception {
    byte[] bytes = cluster.write("/file", FILE);
    cluster.read("/file");
    Path path = new Path("/file");
    cluster.fs().truncate(path, 3 * PAGE);
    LocalCacheCluster.await("the end of the truncation", () -> {
      try {
        return cluster.fs().isFileClosed(path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    awaitPages("large", 0);
    assertArrayEquals(Arrays.copyOf(bytes, 3 * PAGE), cluster.read("/file"));
    assertPages("large", 3);
    assertNothingWritten();
  }

  @Test
  public void off_pausesGhosts_andSaysSo() throws Exception {
    cluster.write("/file", FILE);
    cluster.interceptor(0).onOff().setOn(false, "test");
    cluster.read("/file");
    assertPages("large", 0);
    assertEquals(1, ghost("large").metrics().reads(ReadOutcome.BYPASS_OFF));
    cluster.interceptor(0).onOff().setOn(true, "test");
    cluster.read("/file");
    assertPages("large", 20);
    assertFalse("nothing is served from an SSD", cluster.interceptor(0).monitoring().isOn());
    assertTrue(cluster.interceptor(0).monitoring().isDryRun());
  }

  @Test
  public void metrics_areInJmxAndPromByGhost_andApartFromTheRealOnes() throws Exception {
    cluster.write("/file", FILE);
    cluster.read("/file");
    cluster.read("/file");
    LocalCacheCluster.await("a hit of picky's and large's in /jmx",
        () -> bean("large").path("ReadsHit").asLong() == 1
            && bean("picky").path("ReadsMissNotAdmitted").asLong() == 2);
    assertEquals("large", bean("large").get("tag.dryrun").asText());
    assertEquals(20, bean("large").get("Pages").asLong());
    assertEquals(1, bean("large").get("On").asLong());

    int prom = cluster.mini().getNameNode().getHttpAddress().getPort();
    LocalCacheCluster.await("a hit in /prom", () -> get(prom, "/prom").lines().anyMatch(
        line -> line.startsWith("data_node_local_cache_dry_run_reads_hit{")
            && line.contains("dryrun=\"large\"") && line.endsWith(" 1")));
    String all = get(prom, "/prom");
    assertTrue(all.lines().anyMatch(
        line -> line.startsWith("data_node_local_cache_dry_run_reads_miss_not_admitted{")
            && line.contains("dryrun=\"picky\"") && line.endsWith(" 2")));
    assertTrue(all.lines().anyMatch(line -> line.startsWith(
        "data_node_local_cache_dry_run_directory_used_bytes{")
            && line.contains("dryrun=\"small\"")));
    assertTrue(all.lines().filter(line -> line.startsWith("data_node_local_cache_reads_hit{"))
        .allMatch(line -> line.endsWith(" 0") && !line.contains("dryrun")));
  }

  private JsonNode bean(String ghost) {
    try {
      return new ObjectMapper().readTree(get(cluster.dataNode(0).getInfoPort(),
          "/jmx?qry=Hadoop:service=DataNode,name=DataNodeLocalCacheDryRun-" + ghost + "-*"))
          .get("beans").path(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String get(int port, String path) {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try {
      return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
          .build(), HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void restart_beginsAnew_andLeavesNoMetricsBehind() throws Exception {
    cluster.write("/file", FILE);
    cluster.read("/file");
    cluster.mini().restartDataNode(0, true);
    cluster.mini().waitActive();
    LocalCacheCluster.await("ghosts", () -> !cluster.interceptor(0).ghosts().isEmpty());
    assertPages("large", 0);
    assertEquals(FILE, DFSTestUtil.readFileAsBytes(cluster.fs(), new Path("/file")).length);
    cluster.awaitEndOfReads();
    assertPages("large", 20);
  }

  @Test
  public void noDirectory_noGhostNamed_oneGhostRunsWithTheNormalKeys() throws Exception {
    try (LocalCacheCluster plain = LocalCacheCluster.builder().ssds(0)
        .set(LocalCacheKeys.ENABLED, false).set(LocalCacheKeys.DRY_RUN, true).start()) {
      plain.write("/file", FILE);
      plain.read("/file");
      plain.read("/file");
      Ghost ghost = plain.interceptor(0).ghosts().all().get(0);
      assertEquals(1, plain.interceptor(0).ghosts().all().size());
      assertEquals("default", ghost.name());
      assertEquals(64L << 20, ghost.status().capacityBytes());
      assertEquals(1, ghost.metrics().reads(ReadOutcome.HIT));
    }
  }
}
