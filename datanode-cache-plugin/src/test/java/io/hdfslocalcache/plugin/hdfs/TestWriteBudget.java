/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.admin.BlockStatus;
import io.hdfslocalcache.plugin.admin.BlockStatus.Warming;
import io.hdfslocalcache.plugin.admin.Condition;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Test;

/** The default rate limiter in a DataNode: what it is told, and what it saves for restarts. */
public class TestWriteBudget {

  private static final int LENGTH = 10 * LocalCacheCluster.PAGE;

  private static void readTwice(LocalCacheCluster cluster, String path) throws IOException {
    byte[] bytes = cluster.write(path, LENGTH);
    assertArrayEquals(bytes, cluster.read(path));
    cluster.settle();
    assertNull("read once", cluster.cached(0, path));
    assertArrayEquals(bytes, cluster.read(path));
    cluster.settle();
  }

  /** Pages that are read while the balance is being saved are not filled. */
  private static void readUntilAllPages(LocalCacheCluster cluster, String path) throws IOException {
    readTwice(cluster, path);
    LocalCacheCluster.await("all pages", () -> {
      cluster.readUntilCached(path);
      return cluster.cached(0, path) != null && cluster.cached(0, path).pages() == 10;
    });
  }

  private static long balance(LocalCacheCluster cluster) {
    return cluster.cache(0).limiter().metrics().get("BudgetBalanceBytes");
  }

  private static Map<String, Long> saved(LocalCacheCluster cluster, int ssd) throws IOException {
    Path file = cluster.directory().resolve("ssd" + ssd)
        .resolve(cluster.dataNode(0).getDatanodeUuid()).resolve("state.json");
    Map<String, Long> values = new TreeMap<>();
    new ObjectMapper().readTree(Files.readAllBytes(file)).path("budget").path("value").fields()
        .forEachRemaining(value -> values.put(value.getKey(), value.getValue().asLong()));
    return values;
  }

  @Test
  public void budget_isSpentByFills_andSurvivesARestart() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder().ssds(2)
        .set(WriteBudgetRateLimit.BUDGET_KEY, "64m").start()) {
      readUntilAllPages(cluster, "/first");
      long hits = cluster.reads(ReadOutcome.HIT);
      assertTrue(cluster.read("/first").length > 0);
      assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
      long first = cluster.metrics(0).total(Event.FILL_WRITTEN_BYTES);

      cluster.restartDataNode(0);
      assertEquals(first, (long) saved(cluster, 0).get("Written"));
      LocalCacheCluster.await(
          "both copies", () -> saved(cluster, 0).equals(saved(cluster, 1)));
      readUntilAllPages(cluster, "/second");
      long second = cluster.metrics(0).total(Event.FILL_WRITTEN_BYTES);

      cluster.restartDataNode(0);
      assertEquals(first + second, (long) saved(cluster, 0).get("Written"));
      long credit = 2 * 64 << 20;
      assertEquals(credit, (long) saved(cluster, 0).get("Credit"));
      // Some has come in meanwhile: 1.5 KB each second. A thousandth has been drawn.
      long balance = saved(cluster, 0).get("Balance") + 2 * credit / 1000;
      assertTrue(balance + " bytes", balance >= credit - first - second && balance < credit);
    }
  }

  /** SIGTERM does not go through the DataNode's shutdown. */
  @Test
  public void keep_atTheEndOfTheProcess_savesWhatIsNotSpent() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set(WriteBudgetRateLimit.BUDGET_KEY, "64m").start()) {
      readTwice(cluster, "/first");
      cluster.cache(0).keep();
      long written = cluster.metrics(0).total(Event.FILL_WRITTEN_BYTES);
      assertEquals(written, (long) saved(cluster, 0).get("Written"));
      long balance = saved(cluster, 0).get("Balance");
      assertTrue(balance + " bytes", balance >= (64 << 20) - written);
      readTwiceInVain(cluster);
    }
  }

  private static void readTwiceInVain(LocalCacheCluster cluster) throws IOException {
    cluster.write("/late", LENGTH);
    for (int i = 0; i < 2; i++) {
      cluster.read("/late");
      cluster.settle();
    }
    assertEquals("what is written now would be counted nowhere", 0,
        cluster.cached(0, "/late") == null ? 0 : cluster.cached(0, "/late").pages());
  }

  /** Reads by outcome, and the limiter's counters. */
  private static Map<String, Long> counted(LocalCacheCluster cluster) {
    CacheRateLimiter limiter = cluster.cache(0).limiter();
    Map<String, Long> counted = new TreeMap<>(limiter.metrics());
    counted.keySet().retainAll(limiter.counters());
    for (ReadOutcome outcome : ReadOutcome.values()) {
      counted.put(outcome.metric(), cluster.reads(outcome));
    }
    return counted;
  }

  @Test
  public void questionsOfAnOperator_coldAndCachedBlocks_countAsNoRead() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set(WriteBudgetRateLimit.BUDGET_KEY, "64m").start()) {
      readTwice(cluster, "/cached");
      cluster.write("/cold", LENGTH);
      BlockKey cached = LocalCacheCluster.key(cluster.block("/cached"));
      BlockKey cold = LocalCacheCluster.key(cluster.block("/cold"));
      LocalCacheView view = cluster.view(0);
      // Pages that are read while the balance is being saved are not filled.
      LocalCacheCluster.await(
          "all pages", () -> view.warm(cached).state() == Warming.State.CACHED);
      Map<String, Long> before = counted(cluster);
      assertFalse(view.block(cold).admitted());
      assertTrue(view.block(cached).admitted());
      assertEquals(1, view.top(10, LocalCacheView.Order.READS).size());
      assertEquals(Warming.State.CACHED, view.warm(cached).state());
      view.status();
      view.condition();
      assertEquals(before, counted(cluster));

      cluster.read("/cold");
      cluster.settle();
      assertEquals(before.get("RejectedCold") + 1, (long) counted(cluster).get("RejectedCold"));
    }
  }

  @Test
  public void budgetSpent_nothingIsFilled_readsGoOn() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set("dfs.datanode.local.cache.capacity", 16 * LocalCacheCluster.PAGE)
        .set(WriteBudgetRateLimit.BUDGET_KEY, "1k").start()) {
      // Pages that are read while the balance is being saved are not filled.
      for (int i = 0; i < 4 || balance(cluster) > 0; i++) {
        readTwice(cluster, "/file" + i);
      }
      long written = cluster.metrics(0).total(Event.FILL_WRITTEN_BYTES);
      long credit = 16 * LocalCacheCluster.PAGE;
      int page = PageLayout.usual(LocalCacheCluster.PAGE, LocalCacheCluster.PAGE).fileLength(0);
      // The pages of a read are asked for together, while there is a balance.
      assertTrue(written + " bytes",
          written >= credit && written < credit + LENGTH / LocalCacheCluster.PAGE * page);
      assertEquals(0, cluster.metrics(0).errors());
      Condition condition = cluster.view(0).condition();
      assertEquals("the credit has filled it", "warm", condition.name());
      BlockStatus hot = explain(cluster, "/file0");
      String spent = LocalCacheCluster.BUDGET_SPENT;
      assertTrue(condition.detail(), condition.detail().matches(".*; " + spent));
      assertTrue(hot.why(), hot.why().matches(
          spent + "; heat [0-9.]+ reaches the threshold .*"));
      assertFalse("no page of it gets in", hot.admitted());
      cluster.interceptor(0).onOff().setOn(false, "by the test");
      cluster.write("/cold", 1);
      String cold = explain(cluster, "/cold").why();
      assertTrue(cold, cold.matches("the local cache is off; " + spent
          + "; heat 0.00 is below the threshold .*"));
    }
  }

  /** Pages trickle in: one in 20 seconds, if others leave budget for it. */
  @Test
  public void budgetSpentAsSoonAsItIsRefilled_allCommandsSayThatInTheSameWords()
      throws Exception {
    int page = PageLayout.usual(LocalCacheCluster.PAGE, LocalCacheCluster.PAGE).fileLength(0);
    String why = "write budget spent: pages enter at " + Sizes.text(page / 20 * 86_400L) + " a day";
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set("dfs.datanode.local.cache.capacity", 16 * LocalCacheCluster.PAGE)
        .set(WriteBudgetRateLimit.BUDGET_KEY, page / 20 * 86_400L).start()) {
      cluster.write("/file", LENGTH);
      LocalCacheView view = cluster.view(0);
      assertEquals("filling", view.condition().name());
      assertEquals("", view.pins().notFilling());
      while (balance(cluster) > -page) {
        cluster.cache(0).limiter().written(page);
      }
      assertEquals("not-filling: " + why,
          view.condition().name() + ": " + view.condition().detail());
      assertEquals(why, view.pins().notFilling());
      assertTrue(explain(cluster, "/file").why().startsWith(why));
      Warming warming = view.warm(LocalCacheCluster.key(cluster.block("/file")));
      assertEquals(Warming.State.BUSY + ": " + why, warming.state() + ": " + warming.why());
      assertFalse("no disk reads what is not written", cluster.cache(0).isFilling());
    }
  }

  private static BlockStatus explain(LocalCacheCluster cluster, String file) throws IOException {
    return cluster.view(0).block(LocalCacheCluster.key(cluster.block(file)));
  }

  @Test
  public void othersLeaveNoSpace_explainNamesItBesideTheReads() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    FileStore store = Files.getFileStore(builder.directory());
    long tooMuch = store.getUsableSpace() + (1L << 30);
    assumeTrue("others take space of the disk", tooMuch + (1L << 30) < store.getTotalSpace());
    // Where pages existed, free space does not matter at the start.
    Files.createDirectories(
        builder.directory().resolve("ssd0/before").resolve(PagePaths.LAYOUT));
    try (LocalCacheCluster cluster =
        builder.set("dfs.datanode.local.cache.reserved", tooMuch).start()) {
      cluster.write("/cold", 1);
      LocalCacheCluster.await("no space",
          () -> cluster.cache(0).directories().all().get(0).capacityBytes() == 0);
      assertEquals("other files leave no space on the SSD; it has to be read more than 0 times within "
          + "10 min", explain(cluster, "/cold").why());
      cluster.read("/cold");
      BlockStatus hot = explain(cluster, "/cold");
      assertEquals("other files leave no space on the SSD", hot.why());
      assertFalse(hot.admitted());
      Warming warming = cluster.view(0).warm(LocalCacheCluster.key(cluster.block("/cold")));
      assertEquals("others may go to an SSD with space", Warming.State.REFUSED, warming.state());
      assertEquals(hot.why(), warming.why());
      cluster.interceptor(0).onOff().setOn(false, "by the test");
      assertEquals("the local cache is off; other files leave no space on the SSD",
          explain(cluster, "/cold").why());
    }
  }
}
