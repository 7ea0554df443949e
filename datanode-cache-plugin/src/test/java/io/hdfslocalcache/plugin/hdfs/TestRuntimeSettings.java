/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.settings.RuntimeSettings.SettingView;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.TestingState;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import io.hdfslocalcache.testing.RootCommand;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import io.hdfslocalcache.plugin.admin.CacheStatus.SsdView;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.ssd.TestingSsd;

/** Settings that change while a DataNode serves reads. */
public class TestRuntimeSettings extends ClusterFixture {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final String THRESHOLD = BucketTimeRateLimit.THRESHOLD_KEY;

  private void start(LocalCacheCluster.Builder builder) throws IOException {
    cluster = builder.start();
  }

  private RuntimeSettings.Change set(String key, Object value) {
    return cluster.view(0).set(key, value.toString(), false);
  }

  private void assertRefused(String key, String value, String why) {
    List<SettingView> before = cluster.view(0).status().settings();
    String message = assertThrows(IllegalArgumentException.class, () -> set(key, value)).getMessage();
    assertTrue(message, message.contains(why));
    assertEquals("nothing has changed", before, cluster.view(0).status().settings());
  }

  private String inForce(String key) {
    return cluster.view(0).status().settings().stream()
        .filter(setting -> setting.key().equals(key)).findFirst().orElseThrow().value();
  }

  private int pages(String path) throws IOException {
    CachedBlock block = cluster.cached(0, path);
    return block == null ? 0 : block.pages();
  }

  @Test
  public void threshold_lower_nextReadIsAdmitted() throws Exception {
    start(LocalCacheCluster.builder().threshold(5));
    cluster.write("/file", 3 * PAGE);
    cluster.readUntilCached("/file");
    cluster.readUntilCached("/file");
    assertEquals(0, pages("/file"));
    RuntimeSettings.Change change = set("threshold", 2);
    assertEquals(new RuntimeSettings.Change(THRESHOLD, "5", "2", "5", null,
        "reads that still count stay"), change);
    cluster.readUntilCached("/file");
    assertEquals("the third read", 3, pages("/file"));

    set("rate.limiter.window", "30m");
    assertEquals("30m", inForce(BucketTimeRateLimit.WINDOW_KEY));
    assertTrue(cluster.view(0).block(new io.hdfslocalcache.plugin.block.BlockKey(
        cluster.block("/file").getBlockPoolId(), cluster.block("/file").getBlockId()))
        .why().contains("more than 2 times within 30 min"));
    cluster.restartDataNode(0);
    assertEquals("forgotten by the restart", "5", inForce(THRESHOLD));
  }

  @Test
  public void capacity_lower_pagesLeave_higher_pagesComeBack() throws Exception {
    start(LocalCacheCluster.builder());
    byte[] bytes = cluster.write("/file", 60 * PAGE);
    cluster.readUntilCached("/file");
    assertEquals(60, pages("/file"));
    RuntimeSettings.Change change = set("capacity", "512k");
    assertTrue(change.toString(),
        change.note().matches("pages of [0-9.]+ [KM]?B are evicted within ten minutes"));
    LocalCacheCluster.await("a smaller local cache",
        () -> cluster.cache(0).directories().all().get(0).usedBytes() <= 512 << 10);
    assertTrue("and not all of it", pages("/file") >= 20);
    assertArrayEquals(bytes, cluster.readUntilCached("/file"));
    assertEquals("", set(LocalCacheKeys.CAPACITY, "2m").note());
    assertEquals(2 << 20, cluster.cache(0).directories().all().get(0).capacityBytes());
    cluster.readUntilCached("/file");
    assertEquals(60, pages("/file"));
  }

  /** Another one has room, but pages stay where they are. */
  @Test
  public void capacity_lowerThanThePagesOfOneSsd_isSaid_alsoIfItIsDown() throws Exception {
    start(LocalCacheCluster.builder().ssds(2).set(TestingConfig.PROBE_INTERVAL, "1h"));
    cluster.write("/file", 60 * PAGE);
    cluster.readUntilCached("/file");
    SsdDirectory full = cluster.cache(0).directories().all().stream()
        .filter(one -> one.usedBytes() > 0).findFirst().orElseThrow();
    String pages = "pages of " + Sizes.text(full.usedBytes() - (1 << 20));
    assertEquals(pages + " are evicted within ten minutes", set("capacity", "1m").note());
    set("capacity", "64m");
    full.io().health().lost("unplugged");
    assertTrue(set("capacity", "900k").note().endsWith(
        " stay on " + full.path() + " until they can be deleted: DOWN: unplugged"));
  }

  @Test
  public void capacity_percentage_worksWithTheDefaultLimiter() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.conf().unset(THRESHOLD);
    start(builder.set(LocalCacheKeys.CAPACITY, "1%"));
    assertEquals("the capacity", inForce(WriteBudgetRateLimit.BUDGET_KEY));
    long before = cluster.cache(0).limiter().metrics().get("BudgetBytesPerDay");
    assertTrue(before > 0);
    String answer = set("capacity", "2%").note();
    long after = cluster.cache(0).limiter().metrics().get("BudgetBytesPerDay");
    assertEquals("the budget is the capacity", 2.0, (double) after / before, 0.001);
    assertTrue(answer, answer.matches("the write budget of all SSDs is now " + Sizes.text(after)
        + " a day, .* left \\(was " + Sizes.text(before) + " a day, .* left\\)"));
    set("write.budget", "1g");
    assertEquals(1L << 30, cluster.cache(0).limiter().metrics()
        .get("BudgetBytesPerDay").longValue());
    RuntimeSettings.Change empty = cluster.view(0).set("write.budget", "", true);
    assertEquals("the capacity", empty.after());
    assertEquals("the capacity", empty.kept());
    assertRefused("threshold", "3", "set " + WriteBudgetRateLimit.BUDGET_KEY + " to 0 first");
    set("write.budget", "0");
    String note = set("write.budget", "1k").note();
    assertTrue(note, note.startsWith("is less than one page per day; is its unit missing?"));
    set("write.budget", "0");
    set("threshold", "3");
    assertEquals("3", inForce(THRESHOLD));
  }

  /** Another directory may appear in its place, on a file system of another size. */
  @Test
  public void capacity_directoryOfAnSsdIsGone_isThatOfTheSsd() throws Exception {
    start(LocalCacheCluster.builder());
    SsdDirectory ssd = cluster.cache(0).directories().all().get(0);
    set("capacity", "1%");
    long before = ssd.capacityBytes();
    LocalCacheCluster.await("removed", () -> FileUtil.fullyDelete(ssd.path().toFile()));
    set("capacity", "2%");
    LocalCacheCluster.await("twice as much", () -> ssd.capacityBytes() == 2 * before);
  }

  @Test
  public void badValues_areRefusedWithKeyValueAndWhatIsAllowed() throws Exception {
    start(LocalCacheCluster.builder());
    assertRefused("threshold", "-1",
        THRESHOLD + " = -1: must be a whole number from 0 to 1000000");
    assertRefused("window", "61s", "must be a whole number of minutes");
    assertRefused("window", "often", "must be a duration");
    assertRefused("capacity", "100", LocalCacheKeys.CAPACITY + " = 100: must be at least 16 pages");
    assertRefused("capacity", "0%", "must be a whole number from 1% to 100%");
    assertRefused("capacity", "9000t", "B exist");
    assertRefused("write.budget", "3zz",
        WriteBudgetRateLimit.BUDGET_KEY + " = 3zz: must be a number of bytes");
    assertRefused("write.budget", "-5", WriteBudgetRateLimit.BUDGET_KEY + " = -5: must be");
    assertRefused("page.size", "4k",
        LocalCacheKeys.PAGE_SIZE + " cannot be changed while the DataNode runs; keys that can be changed: ");
    assertRefused("sizes", "4k", "unknown key sizes; keys that can be changed: " + LocalCacheKeys.CAPACITY);
    assertRefused("dfs.replication", "1", "unknown key dfs.replication; keys that can be changed: ");
  }

  private void keep(String key, String value) {
    cluster.view(0).set(key, value, true);
  }

  private Path keptFile() throws IOException {
    try (Stream<Path> files = Files.walk(cluster.directory())) {
      return files.filter(file -> file.endsWith("state.json")).findFirst().orElseThrow();
    }
  }

  private void restartWith(String kept, String instead) throws IOException {
    MiniDFSCluster.DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    TestingState.edit(keptFile(), kept, instead);
    cluster.start(stopped);
  }

  /** The budget is the last that was saved, but without it the threshold counts. */
  @Test
  public void kept_budgetOfZeroAfterAThreshold_bothAreInForceAfterARestart() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.conf().unset(THRESHOLD);
    start(builder);
    keep("write.budget", "0");
    keep("threshold", "100");
    keep("write.budget", "0");
    cluster.restartDataNode(0);
    assertEquals("100", inForce(THRESHOLD));
  }

  @Test
  public void kept_untilTheConfigurationSaysSomethingNew() throws Exception {
    start(LocalCacheCluster.builder().threshold(5));
    keep("capacity", "512k");
    keep("threshold", "2");
    cluster.restartDataNode(0);
    assertEquals("2", inForce(THRESHOLD));
    assertEquals("the capacity that was kept", 512 << 10,
        cluster.cache(0).directories().all().get(0).capacityBytes());
    assertEquals("rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(keptFile())));

    // As if the configuration had said 4 when this was kept.
    restartWith("\"5\"", "\"4\"");
    assertEquals("what was configured later", "5", inForce(THRESHOLD));
    LocalCacheCluster.await("it is forgotten", () -> {
      try {
        return !Files.readString(keptFile()).contains("\"2\"");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    assertEquals("512k", inForce(LocalCacheKeys.CAPACITY));
    cluster.view(0).reset("capacity");
    cluster.restartDataNode(0);
    assertEquals(cluster.mini().getConfiguration(0).getTrimmed(LocalCacheKeys.CAPACITY),
        inForce(LocalCacheKeys.CAPACITY));
  }

  /** It is for each SSD alone, and not for all that were opened with the configured one. */
  @Test
  public void keptCapacity_oneSsdWasReplacedByASmallerOne_theOtherKeepsItsPages() throws Exception {
    start(LocalCacheCluster.builder().ssds(2).set(LocalCacheKeys.CAPACITY, "256k"));
    keep("capacity", "16m");
    for (int i = 0; i < 8; i++) {
      cluster.write("/file" + i, 60 * PAGE);
      cluster.readUntilCached("/file" + i);
    }
    List<Long> before = cluster.view(0).status().ssds().stream().map(SsdView::usedBytes).toList();
    assertTrue(before.toString(), before.get(0) > 256 << 10);
    Path small = cluster.directory().resolve("ssd1");
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    assertTrue(FileUtil.fullyDelete(small.toFile()));
    Files.createDirectory(small);
    RootCommand.mountOfSize(small, "1m");
    try {
      cluster.start(stopped);
      cluster.settle();
      assertEquals(0, cluster.metrics(0).total(Event.RESTORE_DROPPED_NO_ROOM));
      List<SsdView> after = cluster.view(0).status().ssds();
      assertEquals(List.of(before.get(0), "DOWN"),
          List.of(after.get(0).usedBytes(), after.get(1).state()));
      assertEquals("16m", inForce(LocalCacheKeys.CAPACITY));
    } finally {
      assertTrue(RootCommand.unmount(small));
    }
  }

  @Test
  public void kept_valueThatDoesNotFitAnyMore_configurationIsInForce() throws Exception {
    start(LocalCacheCluster.builder().threshold(5));
    keep("threshold", "2");
    restartWith("\"2\"", "\"-2\"");
    assertEquals("5", inForce(THRESHOLD));
    cluster.view(0).reset("threshold");
    assertEquals("5", inForce(THRESHOLD));
    assertTrue(Files.readString(keptFile()), !Files.readString(keptFile()).contains("-2"));
  }

  /** Without a budget, threshold and window would be the only limit of writes. */
  @Test
  public void reset_budgetBesideAThreshold_isRefused() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.conf().unset(THRESHOLD);
    start(builder);
    LocalCacheView view = cluster.view(0);
    view.set("write.budget", "0", false);
    view.set("threshold", "5", false);
    view.set("write.budget", "1g", false);
    String message = assertThrows(
        IllegalArgumentException.class, () -> view.reset("write.budget")).getMessage();
    assertEquals(WriteBudgetRateLimit.BUDGET_KEY + " cannot be reset while threshold or window are "
        + "set: writes would have no limit; reset these first", message);
    assertEquals("1g", inForce(WriteBudgetRateLimit.BUDGET_KEY));
    view.reset("threshold");
    view.reset("write.budget");
    assertEquals("the capacity", inForce(WriteBudgetRateLimit.BUDGET_KEY));
  }

  @Test
  public void budget_lower_saysThatItHoldsLess_andResetThatItDoesNotComeBack() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.conf().unset(THRESHOLD);
    start(builder.set(LocalCacheKeys.CAPACITY, "64m").set(WriteBudgetRateLimit.BUDGET_KEY, "1g"));
    set("write.budget", "1t");
    LocalCacheCluster.await("more than the lower one holds", () -> balance() > 100 << 20);
    String lower = set("write.budget", "16m").note();
    assertTrue(lower, lower.matches("the write budget of all SSDs is now 16 MB a day, 80 MB left "
        + "\\(was 1 TB a day, .* left\\)"));
    String reset = cluster.view(0).reset("write.budget").note();
    assertTrue(reset, reset.matches("the write budget of all SSDs is now 1 GB a day, 80(.0)? MB left "
        + "\\(was 16 MB a day, 80 MB left\\)"));
  }

  private long balance() {
    return cluster.cache(0).limiter().metrics().get("BudgetBalanceBytes");
  }

  @Test
  public void keep_cannotBeSaved_isNotInForceForAMoment_andTheConditionSaysSo() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.conf().unset(THRESHOLD);
    start(builder.set(LocalCacheKeys.CAPACITY, "1%"));
    keep("write.budget", "1m");
    assertTrue(cluster.view(0).condition().isNormal());
    long before = balance();
    Path file = keptFile();
    TestingSsd.makeUnsavable(file);
    try {
      String why = assertThrows(
          IllegalArgumentException.class, () -> keep("capacity", "2%")).getMessage();
      assertTrue(why, why.contains("cannot be saved, so it was not changed"));
      assertEquals("1%", inForce(LocalCacheKeys.CAPACITY));
      assertTrue("no more may be written", balance() < before + (1 << 20));
      assertEquals("ssd-degraded", cluster.view(0).condition().name());
      List<String> mayComeBack = cluster.view(0).mayComeBack();
      assertTrue("files may not be deleted: " + mayComeBack,
          mayComeBack.size() == 1 && mayComeBack.get(0).contains("state.json"));
    } finally {
      FileUtil.fullyDelete(file.toFile());
    }
    keep("capacity", "2%");
    assertEquals(List.of(), cluster.view(0).mayComeBack());
    assertTrue(cluster.view(0).condition().isNormal());
  }

  @Test
  public void keep_changeFails_isNotKept() throws Exception {
    start(LocalCacheCluster.builder().threshold(5));
    AtomicBoolean fails = new AtomicBoolean();
    cluster.cache(0).directories().tellCapacity((ssds, bytes) -> {
      if (fails.get()) {
        throw new IllegalStateException("thrown by a test");
      }
    });
    List<SettingView> before = cluster.view(0).status().settings();
    fails.set(true);
    assertThrows(RuntimeException.class, () -> keep("capacity", "512k"));
    fails.set(false);
    assertEquals(before, cluster.view(0).status().settings());
  }

  /** A restart would find the budget again, and drop the threshold. */
  @Test
  public void keep_thresholdBesideABudgetThatIsZeroOnlyNow_isRefused() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.conf().unset(THRESHOLD);
    start(builder.set(WriteBudgetRateLimit.BUDGET_KEY, "1g"));
    set("write.budget", "0");
    String why = assertThrows(
        IllegalArgumentException.class, () -> keep("threshold", "5")).getMessage();
    assertTrue(why, why.contains("after a restart has no effect while there is a write budget; set "
        + WriteBudgetRateLimit.BUDGET_KEY + " to 0 first with --persist"));
    set("threshold", "5");
    keep("write.budget", "0");
    keep("threshold", "5");
    cluster.restartDataNode(0);
    assertEquals("5", inForce(THRESHOLD));
    assertEquals("5", savedOf(THRESHOLD));
    String saved = "the saved " + THRESHOLD + " = 5 would have no effect: first reset that";
    for (ThrowingRunnable budget : List.<ThrowingRunnable>of(
        () -> cluster.view(0).reset("write.budget"), () -> keep("write.budget", "2g"))) {
      String refused = assertThrows(IllegalArgumentException.class, budget).getMessage();
      assertTrue(refused, refused.endsWith(saved));
    }
    String note = set("write.budget", "2g").note();
    assertTrue(note, note.matches(THRESHOLD + " = 5 has no effect now; reads that still count stay; "
        + "the write budget of all SSDs is now 2 GB a day, .* left"));
    set("write.budget", "0");
    cluster.view(0).reset("threshold");
    cluster.view(0).reset("write.budget");
    assertEquals("1g", inForce(WriteBudgetRateLimit.BUDGET_KEY));
  }

  /** The budget of 0 that was saved beside it is gone, and without the window, there is one. */
  @Test
  public void reset_savedWindowBesideABudget_isPossible() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.conf().unset(THRESHOLD);
    start(builder);
    keep("write.budget", "0");
    keep("window", "30m");
    restartWith("write.budget\"", "write.nothing\"");
    assertEquals("the capacity", inForce(WriteBudgetRateLimit.BUDGET_KEY));
    assertNull("no restart uses it", savedOf(BucketTimeRateLimit.WINDOW_KEY));
    set("write.budget", "0");
    String refused = assertThrows(
        IllegalArgumentException.class, () -> keep("threshold", "5")).getMessage();
    assertTrue(refused, refused.contains("after a restart has no effect while there is a write budget"));
    assertTrue(Files.readString(keptFile()).contains("\"30m\""));
    cluster.view(0).reset("window");
    assertFalse(Files.readString(keptFile()).contains("\"30m\""));
  }

  private String savedOf(String key) {
    return cluster.view(0).status().settings().stream()
        .filter(setting -> setting.key().equals(key)).findFirst().orElseThrow().kept();
  }

  @Test
  public void keysWithoutEffect_areRefused() throws Exception {
    start(LocalCacheCluster.builder().set(RateLimiterFactory.CLASS_KEY, "second-touch"));
    assertRefused("threshold", "3", "has no effect on " + RateLimiterFactory.CLASS_KEY);
    assertRefused("write.budget", "1g", "has no effect on");
  }
}
