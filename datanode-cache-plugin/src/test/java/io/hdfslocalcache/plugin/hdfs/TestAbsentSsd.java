/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.hdfs.LocalCacheMXBean.SsdStatus;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RootCommand;
import io.hdfslocalcache.testing.TestingConfig;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** An SSD that is not mounted when the DataNode starts, and mounted later. */
public class TestAbsentSsd {

  private static final String FILE = "/file";

  private final LocalCacheCluster.Builder builder =
      LocalCacheCluster.builder().set(TestingConfig.PROBE_INTERVAL, "100ms");

  private final Path first = builder.directory().resolve("first");
  private final Path second = builder.directory().resolve("second");

  private void makeTwoSsds() throws IOException {
    Files.createDirectory(first);
    Files.createDirectory(second);
    builder.set(LocalCacheKeys.DIRECTORIES, first.resolve("pages") + "," + second.resolve("pages"));
  }

  /** Moves directories while the DataNode is down. @param moves each followed by where it goes */
  private static void restart(LocalCacheCluster cluster, Path... moves) throws IOException {
    var stopped = cluster.mini().stopDataNode(0);
    for (int i = 0; i < moves.length; i += 2) {
      Files.move(moves[i], moves[i + 1]);
    }
    cluster.start(stopped);
  }

  private static void assertDown(LocalCacheCluster cluster, Path directory, String why) {
    SsdStatus ssd = cluster.interceptor(0).monitoring().getDirectories().stream()
        .filter(status -> status.getPath().equals(directory.toString())).findFirst().orElseThrow();
    assertEquals("DOWN", ssd.getState());
    assertTrue(ssd.getReason(), ssd.getReason().startsWith(why));
    assertEquals("as the command shows it", "DOWN: " + ssd.getReason(),
        cluster.view(0).status().ssds().stream()
            .filter(view -> view.directory().equals(directory.toString()))
            .map(view -> view.state() + ": " + view.reason()).findFirst().orElseThrow());
  }

  @Test
  public void start_capacityInPercent_budgetFollowsOnceItIsThere() throws Exception {
    Path mount = builder.directory().resolve("ssd");
    builder.conf().unset(BucketTimeRateLimit.THRESHOLD_KEY);
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"))
        .set(LocalCacheKeys.CAPACITY, "1%");
    try (LocalCacheCluster cluster = builder.start()) {
      assertEquals("not that of the disk where it should be", 0,
          admission(cluster, "BudgetBytesPerDay"));
      assertFalse(cluster.cache(0).limiter().metrics().containsKey("BudgetBalanceBytes"));

      Files.createDirectory(mount);
      LocalCacheCluster.await("taken in", () -> admission(cluster, "BudgetBytesPerDay") > 0);
      assertEquals(admission(cluster, "BudgetBytesPerDay"),
          cluster.cache(0).directories().all().get(0).capacityBytes());
      LocalCacheCluster.await("it is known that nothing was saved", () ->
          cluster.cache(0).limiter().metrics().getOrDefault("BudgetBalanceBytes", 0L) > 0);
    }
  }

  private static long admission(LocalCacheCluster cluster, String name) {
    return cluster.cache(0).limiter().metrics().get(name);
  }

  @Test
  public void start_pagesOfBeforeOnAnSsdThatComesLater_areRestored() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("ssd"));
    Path away = builder.directory().resolve("away");
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"));
    try (LocalCacheCluster cluster = builder.start()) {
      byte[] bytes = cluster.write(FILE, 5 * LocalCacheCluster.PAGE);
      cluster.readUntilCached(FILE);
      cluster.view(0).pin(FILE, "512k");
      restart(cluster, mount, away);
      assertArrayEquals(bytes, cluster.read(FILE));
      assertEquals(1, cluster.reads(ReadOutcome.BYPASS_UNHEALTHY));
      assertDown(cluster, mount.resolve("pages"), "directory is missing: " + mount);
      assertFalse("nothing is made in its place", Files.exists(mount));
      assertThrows("it would replace the pins that are on the SSD", IllegalArgumentException.class,
          () -> cluster.view(0).pin("/other", "512k"));

      Files.move(away, mount);
      awaitOpen(cluster, 1);
      LocalCacheCluster.await("restored", () -> cluster.cache(0).index().pages() == 5);
      LocalCacheCluster.await("the pins", () -> cluster.view(0).pins().pins().size() == 1);
      cluster.settle();
      assertArrayEquals(bytes, cluster.read(FILE));
      assertEquals("without a fill", 1, cluster.reads(ReadOutcome.HIT));
    }
  }

  private static OnOff onOff(LocalCacheCluster cluster) {
    return cluster.interceptor(0).onOff();
  }

  private static void awaitOpen(LocalCacheCluster cluster, int ssds) {
    LocalCacheCluster.await(
        "taken in", () -> cluster.cache(0).directories().all().size() == ssds);
  }

  @Test
  public void start_offIsSavedOnAnSsdThatComesLater_isOffBeforeTheSsdIsUsed() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("ssd"));
    Path away = builder.directory().resolve("away");
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"));
    try (LocalCacheCluster cluster = builder.start()) {
      onOff(cluster).keep(false);
      for (boolean isSwitchedOn : new boolean[] {false, true}) {
        restart(cluster, mount, away);
        assertTrue("as configured", onOff(cluster).isOn());
        if (isSwitchedOn) {
          onOff(cluster).setOn(true, "by the test");
        }
        assertTrue(onOff(cluster).describe(), onOff(cluster).describe().startsWith(
            "(saved settings and pins are not known: cannot read the saved state "));

        Files.move(away, mount);
        awaitOpen(cluster, 1);
        assertEquals("a command given meanwhile counts", isSwitchedOn, onOff(cluster).isOn());
        assertEquals(isSwitchedOn ? "(until the DataNode restarts)"
            : "(saved for restarts, configured is on)", onOff(cluster).describe());
      }
    }
  }

  /** What was saved is not known, so nothing can be dropped: it would return with the SSD. */
  @Test
  public void start_offAndBudgetAreSavedOnTheAbsentSsd_cannotBeDropped() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("ssd"));
    Path away = builder.directory().resolve("away");
    builder.conf().unset(BucketTimeRateLimit.THRESHOLD_KEY);
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"));
    try (LocalCacheCluster cluster = builder.start()) {
      String second = builder.directory().resolve("second").toString();
      cluster.view(0).ssd("add", second);
      onOff(cluster).keep(false);
      cluster.view(0).set("write.budget", "1m", true);
      restart(cluster, mount, away);
      for (ThrowingRunnable drop : List.<ThrowingRunnable>of(() -> onOff(cluster).keep(true),
          () -> cluster.view(0).reset("write.budget"),
          () -> cluster.view(0).ssd("add", builder.directory().resolve("new").toString()))) {
        String why = assertThrows(IllegalArgumentException.class, drop).getMessage();
        assertTrue(why, why.contains("cannot read the saved state "));
      }
      String note = cluster.view(0).status().note();
      assertTrue(note, note.startsWith(
          "(saved settings and pins are not known: cannot read the saved state "));
      String done = cluster.view(0).ssd("remove", mount.resolve("pages").toString()).done();
      assertTrue(done, done.startsWith("is no longer used; files of pages may stay there: delete "
          + "them, or use the SSD again with ssd add; no SSD is in use until ssd add or a restart of "
          + "the DataNode; saved settings and pins are not known: cannot read the saved state "));
      done = cluster.view(0).ssd("add", second).done();
      // The balance may not be known yet.
      assertTrue(done, done.matches("is used from now on; a restart may not find what is saved now, nor "
          + "the list of SSDs: no SSD that " + LocalCacheKeys.DIRECTORIES + " names can be written; the "
          + "write budget of all SSDs is now 1 MB a day(, .* left)?"));
      assertFalse("as it has saved", onOff(cluster).isOn());
    }
  }

  /** A start that can read no SSD uses those configured. */
  @Test
  public void start_allAreAbsent_whenTheyComeTheSavedListIsUsed_asByTheNextRestart() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("ssd"));
    Path away = builder.directory().resolve("away");
    Path kept = mount.resolve("kept");
    Path drained = mount.resolve("drained");
    Path added = builder.directory().resolve("added");
    builder.set(LocalCacheKeys.DIRECTORIES, kept + "," + drained);
    try (LocalCacheCluster cluster = builder.start()) {
      cluster.view(0).ssd("drain", drained.toString());
      cluster.view(0).ssd("add", added.toString());
      for (boolean isAddedAgain : new boolean[] {false, true}) {
        restart(cluster, mount, away);
        assertEquals(List.of(drained, kept), inUse(cluster));
        if (isAddedAgain) {
          String done = cluster.view(0).ssd("add", added.toString()).done();
          assertTrue(done, done.startsWith(
              "is used from now on; in use are now, as it has saved: " + kept + ", " + added + "; "));
          assertEquals(List.of(added, kept), inUse(cluster));
        }
        Files.move(away, mount);
        LocalCacheCluster.await("the saved list", () -> inUse(cluster).equals(List.of(added, kept)));
        awaitOpen(cluster, 3);
        cluster.restartDataNode(0);
        assertEquals(List.of(added, kept), inUse(cluster));
        assertEquals(2, cluster.cache(0).directories().all().size());
      }
    }
  }

  /** It was drained once, and the list that it has saved names only the other one. */
  @Test
  public void start_allAreAbsent_oneIsReplaced_isInUseForGood() throws Exception {
    Path gone = builder.directory().resolve("gone");
    Path away = builder.directory().resolve("away");
    List<Path> both = List.of(first.resolve("pages"), second.resolve("pages"));
    builder.set(TestingConfig.PROBE_INTERVAL, "1h");
    makeTwoSsds();
    try (LocalCacheCluster cluster = builder.start()) {
      cluster.view(0).ssd("drain", both.get(1).toString());
      restart(cluster, first, gone, second, away);
      Files.move(away, second);
      cluster.view(0).ssd("replace", both.get(1).toString());
      assertEquals(both, inUse(cluster));
      cluster.cache(0).ssdCommands().restore();
      assertEquals(both, inUse(cluster));
      cluster.restartDataNode(0);
      assertEquals(both, inUse(cluster));
    }
  }

  /** Also if nothing is saved on the SSD in use, so that nothing can be dropped there. */
  @Test
  public void onIsSaved_anSsdThatIsAddedHasAnOlderOff_isOn() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("ssd"));
    Path away = builder.directory().resolve("away");
    String second = builder.directory().resolve("second").toString();
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"))
        .set(LocalCacheKeys.ENABLED, true);
    try (LocalCacheCluster cluster = builder.start()) {
      Files.move(mount, away);
      LocalCacheCluster.await("down",
          () -> !cluster.cache(0).directories().all().get(0).io().health().mayRead());
      cluster.view(0).ssd("add", second);
      onOff(cluster).keep(false);
      restart(cluster, away, mount);
      onOff(cluster).keep(true);
      cluster.view(0).ssd("add", second);
      assertTrue(onOff(cluster).isOn());
      assertEquals("", onOff(cluster).describe());
    }
  }

  /** That none is in use is not saved, but an operator wants it until the next restart. */
  @Test
  public void start_allAreAbsent_drained_theSavedListIsNotUsed() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("ssd"));
    Path away = builder.directory().resolve("away");
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"));
    try (LocalCacheCluster cluster = builder.start()) {
      cluster.view(0).ssd("add", builder.directory().resolve("added").toString());
      restart(cluster, mount, away);
      cluster.view(0).ssd("drain", mount.resolve("pages").toString());
      Files.move(away, mount);
      awaitOpen(cluster, 1);
      LocalCacheCluster.await("it is read", () -> cluster.view(0).status().note().isEmpty());
      cluster.cache(0).ssdCommands().restore();
      assertEquals(List.of(), inUse(cluster));
    }
  }

  private static List<Path> inUse(LocalCacheCluster cluster) {
    return cluster.cache(0).directories().inUse().stream().sorted().toList();
  }

  @Test
  public void start_onIsSavedOnTheSsdThatComesLater_offOnTheOther_isOn() throws Exception {
    Path away = builder.directory().resolve("away");
    makeTwoSsds();
    try (LocalCacheCluster cluster = builder.start()) {
      onOff(cluster).keep(false);
      restart(cluster, first, away);
      assertFalse(onOff(cluster).isOn());
      onOff(cluster).keep(true);
      restart(cluster, away, first, second, away);
      assertFalse(onOff(cluster).isOn());
      assertEquals("(saved for restarts, configured is on; but newer settings and pins may be saved on "
          + second.resolve("pages") + ")", onOff(cluster).describe());
      // Saved later than the switch, which is older here.
      cluster.view(0).set("capacity", "1%", true);

      Files.move(away, second);
      awaitOpen(cluster, 2);
      assertTrue(onOff(cluster).isOn());
      assertEquals("", onOff(cluster).describe());
      cluster.restartDataNode(0);
      assertTrue(onOff(cluster).isOn());
      assertEquals("1%", inForce(cluster, LocalCacheKeys.CAPACITY));
    }
  }

  /** It was drained, and added again while the other one was away, which so has an older list. */
  @Test
  public void start_theListOnTheOtherSsdDoesNotNameTheAbsentOne_whichHasANewerList_bothAreUsedOnceItIsThere()
      throws Exception {
    Path firstAway = builder.directory().resolve("first-away");
    Path secondAway = builder.directory().resolve("second-away");
    List<Path> both = List.of(first.resolve("pages"), second.resolve("pages"));
    makeTwoSsds();
    try (LocalCacheCluster cluster = builder.start()) {
      cluster.view(0).ssd("drain", both.get(1).toString());
      restart(cluster, first, firstAway);
      cluster.view(0).ssd("add", both.get(1).toString());
      onOff(cluster).keep(false);
      restart(cluster, firstAway, first, second, secondAway);
      assertEquals("all that is known", both.subList(0, 1), inUse(cluster));
      assertTrue(onOff(cluster).isOn());

      Files.move(secondAway, second);
      LocalCacheCluster.await("the newer list", () -> inUse(cluster).equals(both));
      awaitOpen(cluster, 2);
      assertFalse("off is newer, too", onOff(cluster).isOn());
      cluster.restartDataNode(0);
      assertEquals(both, inUse(cluster));
    }
  }

  @Test
  public void removed_ssdThatWasNeverRead_isNotSaidToHaveNewerSettings() throws Exception {
    Path away = builder.directory().resolve("away");
    makeTwoSsds();
    try (LocalCacheCluster cluster = builder.start()) {
      onOff(cluster).keep(false);
      restart(cluster, second, away);
      assertEquals("(saved for restarts, configured is on; but newer settings and pins may be saved on "
          + second.resolve("pages") + ")", onOff(cluster).describe());
      cluster.view(0).ssd("remove", second.resolve("pages").toString());
      assertEquals("(saved for restarts, configured is on)", onOff(cluster).describe());
      cluster.restartDataNode(0);
      assertEquals("(saved for restarts, configured is on)", onOff(cluster).describe());
    }
  }

  private static String inForce(LocalCacheCluster cluster, String key) {
    return cluster.view(0).status().settings().stream()
        .filter(setting -> setting.key().equals(key)).findFirst().orElseThrow().value();
  }

  @Test
  public void start_newerSettingsOnTheSsdThatComesLater_applyUnlessSetMeanwhile() throws Exception {
    Path away = builder.directory().resolve("away");
    String threshold = BucketTimeRateLimit.THRESHOLD_KEY;
    String window = BucketTimeRateLimit.WINDOW_KEY;
    builder.threshold(5);
    makeTwoSsds();
    try (LocalCacheCluster cluster = builder.start()) {
      String configured = inForce(cluster, LocalCacheKeys.CAPACITY);
      cluster.view(0).set("threshold", "2", true);
      cluster.view(0).set("window", "30m", true);
      cluster.view(0).set("capacity", "1%", true);
      restart(cluster, first, away);
      cluster.view(0).reset("threshold");
      cluster.view(0).set("window", "40m", true);
      cluster.view(0).reset("capacity");
      restart(cluster, away, first, second, away);
      assertEquals("all that is known", "2", inForce(cluster, threshold));
      assertEquals("1%", inForce(cluster, LocalCacheKeys.CAPACITY));
      cluster.view(0).set("window", "50m", false);

      Files.move(away, second);
      awaitOpen(cluster, 2);
      LocalCacheCluster.await("reset later", () -> inForce(cluster, threshold).equals("5")
          && inForce(cluster, LocalCacheKeys.CAPACITY).equals(configured));
      assertEquals("set meanwhile", "50m", inForce(cluster, window));
      cluster.restartDataNode(0);
      assertEquals("what was saved", "40m", inForce(cluster, window));
    }
  }

  /** Neither SSD has both: the threshold would be the only limit of writes. */
  @Test
  public void start_thresholdOnOneSsd_itsBudgetOfZeroIsResetOnTheOneThatComesLater_hasABudget()
      throws Exception {
    Path firstAway = builder.directory().resolve("first-away");
    Path secondAway = builder.directory().resolve("second-away");
    builder.conf().unset(BucketTimeRateLimit.THRESHOLD_KEY);
    makeTwoSsds();
    try (LocalCacheCluster cluster = builder.start()) {
      cluster.view(0).set("write.budget", "1g", true);
      restart(cluster, second, secondAway);
      cluster.view(0).set("write.budget", "0", true);
      cluster.view(0).set("threshold", "7", true);
      restart(cluster, first, firstAway, secondAway, second);
      cluster.view(0).reset("write.budget");
      restart(cluster, firstAway, first, second, secondAway);
      assertEquals("7", inForce(cluster, BucketTimeRateLimit.THRESHOLD_KEY));
      assertEquals("0", inForce(cluster, WriteBudgetRateLimit.BUDGET_KEY));

      Files.move(secondAway, second);
      LocalCacheCluster.await("reset later", () ->
          inForce(cluster, WriteBudgetRateLimit.BUDGET_KEY).equals("the capacity"));
      assertTrue(cluster.cache(0).limiter().metrics().containsKey("BudgetBytesPerDay"));
      cluster.restartDataNode(0);
      assertEquals("the capacity", inForce(cluster, WriteBudgetRateLimit.BUDGET_KEY));
    }
  }

  @Test
  public void start_mountPointWithoutItsFileSystem_downAndTakenInOnceMounted() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("ssd"));
    FileStore root = Files.getFileStore(Path.of("/"));
    assumeTrue("temporary files are on another file system than /",
        Files.getFileStore(mount).equals(root));
    builder.set(LocalCacheKeys.REQUIRE_MOUNT, true).set(LocalCacheKeys.DIRECTORIES, mount)
        .set(LocalCacheKeys.RESERVED, "1m");
    try (LocalCacheCluster cluster = builder.start()) {
      byte[] bytes = cluster.write(FILE, 5 * LocalCacheCluster.PAGE);
      assertArrayEquals(bytes, cluster.read(FILE));
      assertDown(cluster, mount, "not mounted: " + mount + " is on the file system of /");
      assertEmpty(mount);
      RootCommand.mount(mount);
      cluster.awaitHit(FILE, bytes);

      assertTrue(RootCommand.unmount(mount));
      LocalCacheCluster.await("down", () ->
          cluster.interceptor(0).monitoring().getDirectories().get(0).getState().equals("DOWN"));
      assertArrayEquals(bytes, cluster.read(FILE));
      LocalCacheCluster.await("reason", () ->
          cluster.interceptor(0).monitoring().getDirectories().get(0).getReason()
              .startsWith("not mounted"));
      assertEmpty(mount);

      RootCommand.mount(mount);
      LocalCacheCluster.await("normal", () ->
          cluster.interceptor(0).monitoring().getDirectories().get(0).getState().equals("NORMAL"));
      assertEquals(0, cluster.cache(0).index().pages());
      cluster.readUntilCached(FILE);
      assertEquals(5, cluster.cache(0).index().pages());
    } finally {
      RootCommand.unmount(mount);
    }
  }

  private static void assertEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      assertEquals("nothing is made on the root disk", 0, entries.count());
    }
  }
}
