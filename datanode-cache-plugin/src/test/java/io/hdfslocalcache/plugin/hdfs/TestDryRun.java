/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedLines;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.junit.Before;
import org.junit.Test;

/** In a dry run nothing is written, no read is changed, and all is counted. */
public class TestDryRun extends ClusterFixture {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final int FILE = 20 * PAGE;

  @Before
  public void start() throws IOException {
    cluster = LocalCacheCluster.builder().set(LocalCacheKeys.DRY_RUN, true)
        .set(LocalCacheKeys.ENABLED, false)
        .set(CommonConfigurationKeysPublic.HADOOP_PROMETHEUS_ENABLED, true).start();
  }

  private void assertPages(long pages) {
    cluster.settle();
    LocalCacheCluster.await(pages + " pages", () -> cluster.cache(0).index().pages() == pages);
  }

  /** The directory of the SSD is not even made, and no byte of a page is anywhere. */
  private void assertNothingWritten() throws IOException {
    assertFalse(Files.exists(cluster.directory().resolve("ssd0")));
    cluster.cache(0).directories().paths().forEach(path ->
        assertFalse(path.toString(), Files.exists(path)));
    assertEquals(0, cluster.cache(0).memory().pages());
    assertEquals(0, cluster.metrics(0).errors());
  }

  @Test
  public void reads_areRight_opensNoFileButTheReplicas() throws Exception {
    byte[] bytes = cluster.write("/file", FILE);
    File meta = cluster.metaFile(0, cluster.block("/file"));
    for (int i = 0; i < 4; i++) {
      assertArrayEquals(bytes, cluster.read("/file"));
    }
    assertArrayEquals(Arrays.copyOfRange(bytes, 5, 5 + 3 * PAGE),
        cluster.pread("/file", 5, 3 * PAGE));
    assertPages(20);
    assertEquals(4, cluster.reads(ReadOutcome.HIT));
    assertEquals(1, cluster.reads(ReadOutcome.MISS_ADMITTED));
    assertEquals(3L * FILE + 3 * PAGE, cluster.metrics(0).total(Event.BYTES_HIT));
    assertNothingWritten();
    // What would be a hit is read from the replica: without it, there is nothing to send.
    assertTrue(meta.delete());
    assertTrue(cluster.blockFile(0, cluster.block("/file")).delete());
    assertThrows(IOException.class, () -> cluster.read("/file"));
    try (Stream<java.nio.file.Path> open = Files.list(java.nio.file.Path.of("/proc/self/fd"))) {
      assertEquals(List.of(), open.map(TestDryRun::target)
          .filter(file -> file.contains("/ssd0") || file.contains("/dry-run-")).toList());
    }
  }

  private static String target(java.nio.file.Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  public void nothingCanBeSaved() {
    for (boolean on : new boolean[] {false, true}) {
      String why = assertThrows(IllegalArgumentException.class,
          () -> cluster.interceptor(0).onOff().keep(on)).getMessage();
      assertEquals((on ? "on" : "off") + " cannot be saved, so nothing was changed: a dry run saves "
          + "nothing, and begins on; without --persist, it need not be saved", why);
    }
    String why = assertThrows(IllegalArgumentException.class,
        () -> cluster.view(0).set("capacity", "1m", true)).getMessage();
    assertEquals(LocalCacheKeys.CAPACITY + " cannot be saved, so it was not changed: a dry run saves "
        + "nothing", why);
  }

  @Test
  public void metrics_areApartFromThoseOfRealLocalCaches() throws Exception {
    cluster.write("/file", FILE);
    cluster.read("/file");
    cluster.read("/file");
    cluster.settle();
    LocalCacheCluster.await("a hit in /jmx", () -> bean("DryRun").path("ReadsHit").asLong() == 1);
    assertEquals(20, bean("DryRun").get("Pages").asLong());
    assertEquals(1, bean("DryRun").get("On").asLong());
    assertEquals(20 * 20_480, bean("DryRun").get("UsedBytes").asLong());
    assertEquals(64L << 20, bean("DryRun").get("CapacityBytes").asLong());
    assertFalse(bean("DryRunReadSeconds").isMissingNode());
    assertTrue(bean("").isMissingNode());
    assertTrue(bean("ReadSeconds").isMissingNode());
    assertTrue("counts reads", cluster.interceptor(0).monitoring().isOn());
    assertTrue(cluster.interceptor(0).monitoring().isDryRun());

    LocalCacheCluster.await("a hit in /prom", () -> cluster.prom().stream().anyMatch(
        line -> line.startsWith("data_node_local_cache_dry_run_reads_hit{")
            && line.endsWith(" 1")));
    List<String> all = cluster.prom();
    assertTrue(all.stream().anyMatch(line -> line.startsWith(
        "data_node_local_cache_dry_run_directory_used_bytes{")));
    assertTrue(all.stream().noneMatch(
        line -> line.startsWith("data_node_local_cache_reads_hit{") && line.endsWith(" 1")));
  }

  private JsonNode bean(String kind) throws IOException {
    return new ObjectMapper().readTree(LocalCacheCluster.get(cluster.dataNode(0).getInfoPort(),
        "/jmx?qry=Hadoop:service=DataNode,name=DataNodeLocalCache" + kind + "-127*"))
        .get("beans").path(0);
  }

  @Test
  public void restart_startsEmptyAndLogsNoTrouble() throws Exception {
    cluster.write("/file", FILE);
    cluster.read("/file");
    assertPages(20);
    try (LoggedLines log = new LoggedLines()) {
      cluster.restartDataNode(0);
      assertPages(0);
      assertEquals(List.of(), log.lines());
    }
    cluster.read("/file");
    assertPages(20);
    assertNothingWritten();
  }

  @Test
  public void noDirectory_countsOneSsd_whateverEnabledSays() throws Exception {
    try (LocalCacheCluster plain = LocalCacheCluster.builder().ssds(0)
        .set(LocalCacheKeys.ENABLED, false).set(LocalCacheKeys.DRY_RUN, true).start()) {
      plain.write("/file", FILE);
      plain.read("/file");
      plain.read("/file");
      plain.settle();
      assertEquals(1, plain.cache(0).directories().all().size());
      assertEquals(64L << 20, plain.cache(0).directories().all().get(0).capacityBytes());
      assertEquals(1, plain.reads(ReadOutcome.HIT));
    }
  }

  @Test
  public void writeBudget_isSpent_isToldAsOfARealLocalCache() throws Exception {
    try (LocalCacheCluster budget = LocalCacheCluster.builder().set(LocalCacheKeys.DRY_RUN, true)
        .set(WriteBudgetRateLimit.BUDGET_KEY, "64k").set(LocalCacheKeys.CAPACITY, "1m").start()) {
      for (int i = 0; i < 4; i++) {
        budget.write("/file" + i, FILE);
      }
      assertEquals("", budget.view(0).condition().detail());
      LocalCacheCluster.await("a spent budget", () -> {
        try {
          for (int i = 0; i < 4; i++) {
            budget.read("/file" + i);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return budget.view(0).condition().detail().matches(LocalCacheCluster.BUDGET_SPENT);
      });
      assertEquals("dry-run", budget.view(0).condition().name());
    }
  }

  @Test
  public void defaultLimiter_blockThatIsReadOften_isAdmitted() throws Exception {
    try (LocalCacheCluster budget = LocalCacheCluster.builder().set(LocalCacheKeys.DRY_RUN, true)
        .set(WriteBudgetRateLimit.BUDGET_KEY, "64m").set(LocalCacheKeys.CAPACITY, "64m").start()) {
      budget.write("/file", FILE);
      for (int i = 0; i < 4; i++) {
        budget.read("/file");
      }
      LocalCacheCluster.await("20 pages", () -> budget.cache(0).index().pages() == 20);
    }
  }
}
