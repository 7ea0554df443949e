/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.admin.CacheStatus.SsdView;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.settings.RuntimeSettings.SettingView;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.plugin.ssd.TestingState;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedLines;
import io.hdfslocalcache.testing.Readers;
import io.hdfslocalcache.testing.RootCommand;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** SSDs that come and go by command while clients read. */
public class TestSsdChanges extends ClusterFixture {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final int FILES = 12;

  @Rule
  public final Timeout timeout = Timeout.seconds(600);

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private Path[] ssds;

  private void start(LocalCacheCluster.Builder builder) throws IOException {
    cluster = builder.start();
    ssds = new Path[] {ssd("ssd0"), ssd("ssd1"), ssd("ssd2")};
  }

  private Path ssd(String name) {
    return cluster.directory().resolve(name);
  }

  private String run(String action, Path path) {
    return cluster.view(0).ssd(action, path.toString()).done();
  }

  private void assertRefused(String action, Path path, String why) {
    List<List<Object>> before = states();
    String message =
        assertThrows(IllegalArgumentException.class, () -> run(action, path)).getMessage();
    assertTrue(message, message.contains(why));
    assertFalse(message, message.contains("\n"));
    assertEquals("nothing has changed", before, states());
  }

  private List<List<Object>> states() {
    return cluster.view(0).status().ssds().stream().map(ssd -> List.<Object>of(
        ssd.directory(), ssd.state(), ssd.reason(), ssd.usedBytes(), ssd.capacityBytes())).toList();
  }

  private void write(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      files.put("/file" + i, cluster.write("/file" + i, 5 * PAGE));
    }
  }

  private void readAll() throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertArrayEquals(file.getKey(), file.getValue(), cluster.readUntilCached(file.getKey()));
    }
  }

  private List<Path> directories() {
    return cluster.view(0).status().ssds().stream()
        .map(ssd -> Path.of(ssd.directory())).toList();
  }

  private SsdDirectory open(Path path) {
    return cluster.cache(0).directories().all().stream()
        .filter(ssd -> ssd.path().equals(path)).findFirst().orElseThrow();
  }

  /** @return files with pages on an SSD. */
  private List<String> on(Path path) throws IOException {
    List<String> found = new ArrayList<>();
    for (String file : files.keySet()) {
      CachedBlock block = cluster.cached(0, file);
      if (block != null && block.ssd().path().equals(path)) {
        found.add(file);
      }
    }
    return found;
  }

  @Test
  public void drainRemoveAdd_whileClientsRead_noReadFails_restartFindsAllAsItWas()
      throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    write(0, FILES);
    readAll();
    assertTrue(on(ssds[0]).size() > 0 && on(ssds[1]).size() > 0);
    try (Readers clients = Readers.of(cluster, files, 3)) {
      assertTrue(run("drain", ssds[0]).startsWith("is drained"));
      LocalCacheCluster.await("an empty SSD", () -> open(ssds[0]).usedBytes() == 0);
      LocalCacheCluster.await("all files on the other SSD", () -> on(ssds[1]).size() == FILES);
      assertEquals("is no longer used", run("remove", ssds[0]));
      assertEquals(List.of(ssds[1]), directories());
      assertEquals(List.of(), TestingSsd.openFilesBelow(ssds[0]));
      FileUtil.fullyDelete(ssds[0].toFile());
      assertEquals("is used from now on", run("add", ssds[2]));
      assertEquals(List.of(ssds[1], ssds[2]), directories());
      cluster.view(0).set("capacity", "48m", true);
      cluster.view(0).set("write.budget", "1g", true);
      clients.assertNoneFailed();
    }
    write(FILES, 2 * FILES);
    cluster.view(0).set("write.budget", "0", false);
    cluster.view(0).set("threshold", "0", false);
    readAll();
    List<String> onNew = on(ssds[2]);
    assertTrue("blocks that were there stay", onNew.size() > 0
        && onNew.stream().noneMatch(file -> Integer.parseInt(file.substring(5)) < FILES));
    long pages = cluster.cache(0).index().pages();

    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[1], ssds[2]), directories());
    assertEquals("all pages are back", pages, cluster.cache(0).index().pages());
    assertEquals(onNew, on(ssds[2]));
    assertEquals("48m", inForce(LocalCacheKeys.CAPACITY));
    assertEquals("1g", inForce(WriteBudgetRateLimit.BUDGET_KEY));
    readAll();
    assertEquals(0, cluster.reads(ReadOutcome.MISS_ADMITTED));
    assertEquals(0, cluster.reads(ReadOutcome.MISS_NOT_ADMITTED));
    assertEquals(0, cluster.metrics(0).errors());
  }

  private String inForce(String key) {
    return setting(key).orElseThrow().value();
  }

  private Optional<SettingView> setting(String key) {
    return cluster.view(0).status().settings().stream()
        .filter(setting -> setting.key().equals(key)).findFirst();
  }

  @Test
  public void anotherListOfSsds_showsAsASetting_andTheNewBudgetIsSaid() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    String both = ssds[0] + "," + ssds[1];
    assertEquals(Optional.empty(), setting(LocalCacheKeys.DIRECTORIES));
    cluster.view(0).set("write.budget", "1g", false);
    String done = run("drain", ssds[0]);
    assertTrue(done, done.matches("is drained, and has no pages; the write budget of all SSDs is now "
        + "1 GB a day, .* left \\(was 2 GB a day, .* left\\)"));
    String one = ssds[1].toString();
    assertEquals(new SettingView(LocalCacheKeys.DIRECTORIES, one, both, one),
        setting(LocalCacheKeys.DIRECTORIES).orElseThrow());
    run("drain", ssds[1]);
    assertEquals("that none is used is not saved",
        new SettingView(LocalCacheKeys.DIRECTORIES, "none", both, one),
        setting(LocalCacheKeys.DIRECTORIES).orElseThrow());
    run("add", ssds[1]);
    done = run("add", ssds[0]);
    assertTrue(done, done.matches("is used from now on; the write budget of all SSDs is now 2 GB a day, "
        + ".* left \\(was 1 GB a day, .* left\\)"));
    assertEquals(Optional.empty(), setting(LocalCacheKeys.DIRECTORIES));
  }

  /** Its pages may be deleted just now. */
  @Test
  public void remove_drained_promisesNoPages() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    write(0, FILES);
    readAll();
    run("drain", ssds[0]);
    String removed = run("remove", ssds[0]);
    assertTrue(removed,
        removed.matches("is no longer used(; files of pages may stay there: delete them)?"));
  }

  /** Without draining it: its pages are forgotten at once, and come back with it. */
  @Test
  public void remove_inUse_itsPagesComeBackWithIt() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    write(0, FILES);
    readAll();
    List<String> before = on(ssds[0]);
    try (Readers clients = Readers.of(cluster, files, 2)) {
      assertEquals("is no longer used; the files of " + 5 * before.size() + " pages stay there: "
          + "delete them, or use the SSD again with ssd add", run("remove", ssds[0]));
      assertEquals(List.of(), on(ssds[0]));
      clients.assertNoneFailed();
    }
    readAll();
    assertEquals(FILES, on(ssds[1]).size());
    assertEquals(FILES * 5, cluster.cache(0).index().pages());
    cluster.view(0).clearAll("test");
    cluster.settle();
    run("add", ssds[0]);
    cluster.settle();
    assertEquals(before, on(ssds[0]));
    readAll();
    assertEquals(before, on(ssds[0]));
    assertEquals("each page is in one place", FILES * 5, cluster.cache(0).index().pages());
  }

  @Test
  public void add_drained_isInUseAgain() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    write(0, FILES);
    readAll();
    List<String> before = on(ssds[0]);
    run("drain", ssds[0]);
    assertEquals("drained: no page is added, all are evicted",
        cluster.view(0).status().ssds().get(0).reason());
    LocalCacheCluster.await("an empty SSD", () -> open(ssds[0]).usedBytes() == 0);
    run("add", ssds[0]);
    assertEquals("", cluster.view(0).status().ssds().get(0).reason());
    LocalCacheCluster.await("entries without pages are gone", () -> on(ssds[0]).isEmpty());
    readAll();
    assertEquals(before, on(ssds[0]));
  }

  @Test
  public void drain_restart_isNotUsedAnyMore_reconfigured_isUsedAgain() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    run("drain", ssds[0]);
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[1]), directories());
    run("add", ssds[0]);
    cluster.restartDataNode(0);
    assertEquals("as configured", List.of(ssds[0], ssds[1]), directories());
  }

  @Test
  public void quota_isSharedByTheSsds_whicheverGetsPagesFirst() throws Exception {
    // One write at a time: several would each want room in a small quota.
    start(LocalCacheCluster.builder().ssds(1).set(TestingConfig.FILL_THREADS, 1));
    write(0, FILES);
    readAll();
    long quota = open(ssds[0]).usedBytes();
    write(FILES, 5 * FILES);
    cluster.view(0).pin("/", String.valueOf(quota));
    LocalCacheCluster.await("blocks of the pin", () -> cluster.view(0).pins().lookedUp());
    run("add", ssds[1]);
    // The first has all of the quota.
    LocalCacheCluster.await("a page on the new SSD", () -> {
      readAllOnce();
      return open(ssds[1]).usedBytes() >= quota / 4;
    });
    LocalCacheCluster.await("the quota", () -> used() <= quota);
    assertTrue(open(ssds[0]).usedBytes() >= quota / 4);

    cluster.view(0).pin("/", String.valueOf(quota / 2));
    LocalCacheCluster.await("half of the quota", () -> used() <= quota / 2);
    for (int i = 0; i < 2; i++) {
      long bytes = open(ssds[i]).usedBytes();
      assertTrue(ssds[i] + " has " + bytes + " of " + quota / 2, bytes >= quota / 8);
    }
  }

  private long used() {
    return open(ssds[0]).usedBytes() + open(ssds[1]).usedBytes();
  }

  private void readAllOnce() {
    files.forEach((path, bytes) -> {
      try {
        assertArrayEquals(path, bytes, cluster.read(path));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** The copy of the settings on the configured SSD is old then. */
  @Test
  public void addAfterTheConfiguredSsdWasDrained_restart_isUsed() throws Exception {
    start(LocalCacheCluster.builder().ssds(1));
    run("add", ssds[1]);
    run("drain", ssds[0]);
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[1]), directories());
    run("add", ssds[2]);
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[1], ssds[2]), directories());
    // A restart looks in the configured directory, which names only these.
    run("drain", ssds[1]);
    assertRefused("remove", ssds[1], "a restart might not find the saved settings and pins");
  }

  @Test
  public void remove_otherConfiguredSsdCannotBeWritten_isRefused() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    run("add", ssds[2]);
    assertTrue(FileUtil.fullyDelete(ssds[1].toFile()));
    String message = assertThrows(
        IllegalArgumentException.class, () -> run("remove", ssds[0])).getMessage();
    assertTrue(message, message.startsWith("without " + ssds[0] + ", a restart might not find"));
    Files.createDirectory(ssds[1]);
    run("replace", ssds[1]);
    assertEquals("is no longer used", run("remove", ssds[0]));
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[1], ssds[2]), directories());
  }

  /** The list of SSDs cannot be saved, because the only one is drained and cannot be written. */
  @Test
  public void add_drainedAndCannotBeSaved_staysDrained() throws Exception {
    start(LocalCacheCluster.builder().ssds(1));
    run("add", ssds[1]);
    run("drain", ssds[0]);
    run("drain", ssds[1]);
    for (Path ssd : List.of(ssds[0], ssds[1])) {
      TestingSsd.makeUnsavable(open(ssd).root().resolve("state.json"));
    }
    assertRefused("add", ssds[1],
        "the list of SSDs cannot be saved, so nothing was changed: ");
    assertEquals(List.of(ssds[0], ssds[1]), directories());
  }

  /** While an SSD is drained, its pages are no reason to take the others for full. */
  @Test
  public void drain_full_itsPagesAndSpaceAreNotCountedAsThoseOfTheOthers() throws Exception {
    start(LocalCacheCluster.builder().ssds(1));
    write(0, FILES);
    readAll();
    long capacity = cluster.view(0).status().ssds().get(0).capacityBytes();
    cluster.view(0).set("capacity", String.valueOf(open(ssds[0]).usedBytes()), false);
    assertEquals("warm", cluster.view(0).condition().name());
    run("add", ssds[1]);
    cluster.view(0).set("capacity", String.valueOf(capacity), false);
    assertTrue(run("drain", ssds[0]).contains("are evicted within ten minutes"));
    assertEquals("filling", cluster.view(0).condition().name());
    assertEquals(List.of(true, false), cluster.view(0).status().ssds().stream()
        .map(SsdView::drained).toList());
    assertEquals(capacity / 10, cluster.view(0).pin("/file0", "default").quota());
  }

  /** It was not mounted, and then read-only. */
  @Test
  public void replace_cannotBeUsed_theStateHasTheNewReason() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    long capacity = cluster.view(0).status().ssds().get(0).capacityBytes();
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    assertTrue(FileUtil.fullyDelete(ssds[1].toFile()));
    Files.createDirectory(ssds[1]);
    RootCommand.mountOfSize(ssds[1], "64k");
    try {
      cluster.start(stopped);
      assertReasonHas("only 64 KB are free");
      assertEquals("counts for pins", 2 * capacity / 10,
          cluster.view(0).pin("/file0", "default").quota());
      assertRefused("add", ssds[1], "is already in use, but DOWN: ");
      run("drain", ssds[1]);
      String added = run("add", ssds[1]);
      assertTrue(added, added.startsWith("is used from now on, as far as it can be: DOWN: "));
    } finally {
      assertTrue(RootCommand.unmount(ssds[1]));
    }
    Files.delete(ssds[1]);
    Files.createFile(ssds[1]);
    String message = assertThrows(
        IllegalArgumentException.class, () -> run("replace", ssds[1])).getMessage();
    assertTrue(message, message.endsWith("must be a directory, and not a link to one; for a dead SSD: "
        + "umount -l, mount another, ssd replace again"));
    assertReasonHas("must be a directory, and not a link to one");
  }

  /** The SSD was open when it failed; the next probe is an hour away. */
  @Test
  public void replace_openSsdThatIsDown_cannotBeUsed_theStateHasTheNewReason() throws Exception {
    start(LocalCacheCluster.builder().ssds(2).set(TestingConfig.PROBE_INTERVAL, "1h"));
    open(ssds[1]).io().health().lost("unplugged");
    assertReasonHas("unplugged");
    assertTrue(FileUtil.fullyDelete(ssds[1].toFile()));
    Files.createFile(ssds[1]);
    assertThrows(IllegalArgumentException.class, () -> run("replace", ssds[1]));
    assertReasonHas("must be a directory, and not a link to one");
  }

  /** A restart leaves it out as long as that is what the list of SSDs says. */
  @Test
  public void replace_drainedAndCannotBeOpened_staysDrained() throws Exception {
    start(LocalCacheCluster.builder().ssds(2).set(TestingConfig.PROBE_INTERVAL, "1h"));
    run("drain", ssds[1]);
    LocalCacheCluster.await("removed", () -> FileUtil.fullyDelete(ssds[1].toFile()));
    Files.createDirectory(ssds[1]);
    try (FileChannel lock = FileChannel.open(ssds[1].resolve("in_use.lock"),
        StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      lock.lock();
      String why = assertThrows(
          IllegalArgumentException.class, () -> run("replace", ssds[1])).getMessage();
      assertTrue(why, why.startsWith(ssds[1] + " is DOWN until it can be used: "));
      assertReasonHas("drained; ");
    }
    assertEquals("is replaced, and in use", run("replace", ssds[1]));
    assertReasonHas("");
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[0], ssds[1]), directories());
  }

  /** None can save the list of SSDs, which stays the same. */
  @Test
  public void replace_allSsdsAreDead_succeeds() throws Exception {
    start(LocalCacheCluster.builder().ssds(1).set(TestingConfig.PROBE_INTERVAL, "1h"));
    run("add", ssds[1]);
    for (Path ssd : List.of(ssds[0], ssds[1])) {
      LocalCacheCluster.await("removed", () -> FileUtil.fullyDelete(ssd.toFile()));
      open(ssd).io().health().lost("unplugged");
    }
    String why = assertThrows(
        IllegalArgumentException.class, () -> run("drain", ssds[0])).getMessage();
    assertTrue(why, why.startsWith("the list of SSDs cannot be saved, so nothing was changed: ")
        && why.endsWith("; first use ssd replace for " + ssds[1] + ", or ssd add for another"));
    Files.createDirectory(ssds[1]);
    assertEquals("is replaced, and in use", run("replace", ssds[1]));
    run("drain", ssds[0]);
  }

  /** Only the new SSD can save the list. */
  @Test
  public void add_allSsdsAreDead_isUsed_andSaysThatARestartMayNotFindIt() throws Exception {
    start(LocalCacheCluster.builder().ssds(1).set(TestingConfig.PROBE_INTERVAL, "1h"));
    LocalCacheCluster.await("removed", () -> FileUtil.fullyDelete(ssds[0].toFile()));
    open(ssds[0]).io().health().lost("unplugged");
    String notFound = "a restart may not find what is saved now, nor the list of SSDs: no SSD "
        + "that " + LocalCacheKeys.DIRECTORIES + " names can be written";
    assertEquals("is used from now on; " + notFound, run("add", ssds[1]));
    assertEquals("(" + notFound + ")", cluster.view(0).status().note());
    assertEquals(notFound, cluster.view(0).set("capacity", "32m", true).note());
    assertEquals(notFound, cluster.view(0).pins().doubt());
    cluster.interceptor(0).onOff().keep(false);
    assertEquals("(until the DataNode restarts; but " + notFound + ")",
        cluster.view(0).status().note());
    assertEquals(List.of("DOWN", "NORMAL"),
        cluster.view(0).status().ssds().stream().map(SsdView::state).toList());
    String drained = run("drain", ssds[0]);
    assertTrue(drained, drained.startsWith("gets no more pages, but keeps its files "));
  }

  @Test
  public void drain_otherIsDown_saysThatNoPageIsAdded_andTheDownOneIsShownAsDrained()
      throws Exception {
    start(LocalCacheCluster.builder().ssds(2).set(TestingConfig.PROBE_INTERVAL, "1h"));
    open(ssds[1]).io().health().lost("unplugged");
    String down = ssds[1] + ": DOWN: unplugged";
    assertEquals("is drained, and has no pages; no page can be added now: " + down,
        run("drain", ssds[0]));
    assertEquals(List.of(down), cluster.view(0).mayComeBack());
    assertEquals("is used from now on", run("add", ssds[0]));
    assertEquals("gets no more pages, but keeps its files until they can be deleted: DOWN: unplugged",
        run("drain", ssds[1]));
    assertReasonHas("drained; unplugged");
    assertEquals(
        "is no longer used; no SSD is in use until ssd add or a restart of the DataNode",
        run("remove", ssds[0]));
  }

  private void assertReasonHas(String words) {
    String reason = cluster.view(0).status().ssds().get(1).reason();
    assertTrue(reason, reason.contains(words));
  }

  @Test
  public void replace_deadSsd_isUsedWithoutARestart() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    write(0, FILES);
    readAll();
    cluster.view(0).set("capacity", "32m", true);
    try (Readers clients = Readers.of(cluster, files, 2)) {
      LocalCacheCluster.await("removed", () -> FileUtil.fullyDelete(ssds[0].toFile()));
      LocalCacheCluster.await("down", () -> !open(ssds[0]).io().health().mayRead());
      Files.createDirectory(ssds[0]);
      assertEquals("is replaced, and in use", run("replace", ssds[0]));
      assertEquals(List.of("NORMAL", "NORMAL"), cluster.view(0).status().ssds().stream()
          .map(SsdView::state).toList());
      clients.assertNoneFailed();
    }
    readAll();
    assertTrue(on(ssds[0]).size() > 0);
    FileUtil.fullyDelete(ssds[1].toFile());
    cluster.restartDataNode(0);
    assertEquals("kept on the new SSD, too", "32m", inForce(LocalCacheKeys.CAPACITY));
  }

  @Test
  public void badInput_isRefusedInOneLineAndChangesNothing() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    Path nowhere = ssd("nowhere");
    for (String action : new String[] {"drain", "remove", "replace"}) {
      assertRefused(action, nowhere, nowhere + " is not a directory of this local cache; "
          + "its directories: " + ssds[0] + ", " + ssds[1]);
    }
    assertRefused("eject", ssds[0], "expected ssd add, drain, remove or replace, got: eject");
    assertRefused("add", Path.of("ssd2"), "expected the absolute path of a directory, got: ssd2");
    assertRefused("add", ssds[0], ssds[0] + " is already in use");
    assertRefused("add", ssds[0].resolve("inside"), "must be neither the same as, nor inside");
    assertRefused("add", nowhere.resolve("deep/pages"), "directory is missing: " + nowhere);
    assertRefused("add", cluster.directory().resolve("dfs/data/data1/pages"),
        "must be neither inside nor around a directory of dfs.datanode.data.dir");
    cluster.view(0).set("capacity", "24m", false);
    assertRefused("add", cluster.directory().resolve("dfs/data/data1/pages"),
        "must be neither inside nor around a directory of dfs.datanode.data.dir");
    Path used = Files.createDirectory(ssds[2]);
    try (FileChannel lock = FileChannel.open(used.resolve("in_use.lock"),
        StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      lock.lock();
      assertRefused("add", used, "is locked by another DataNode");
      assertRefused("add", used.resolve("inside"), "is locked by another DataNode");
      assertFalse(Files.exists(used.resolve("inside")));
    }
    Path around = Files.createDirectory(cluster.directory().resolve("around"));
    Path inside = Files.createDirectories(around.resolve("of/another")).resolve("in_use.lock");
    try (FileChannel lock = FileChannel.open(
        inside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      lock.lock();
      assertRefused("add", around, inside + " is locked by another DataNode");
    }
    assertEquals("is used from now on", run("add", used));
    run("drain", ssds[0]);
    run("remove", ssds[0]);
    assertRefused("remove", ssds[1], "set " + LocalCacheKeys.PINS_DIRECTORY);
  }

  @Test
  public void add_newDirectoryForWhichThereIsNoSpace_isNotMade() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    cluster.view(0).set("capacity", "40%", false);
    assertRefused("add", ssds[2], "must fit on the disk of " + ssds[2]);
    assertFalse(Files.exists(ssds[2]));
    cluster.view(0).set("capacity", "24m", false);
    assertEquals("is used from now on", run("add", ssds[2]));
  }

  @Test
  public void onlySsd_drainedAndRemoved_readsGoOn_anotherTakesItsPlace() throws Exception {
    start(LocalCacheCluster.builder().ssds(1));
    write(0, FILES);
    readAll();
    LocalCacheView view = cluster.view(0);
    view.set("capacity", "32m", true);
    try (Readers clients = Readers.of(cluster, files, 2)) {
      assertTrue(run("drain", ssds[0]).endsWith(
          "; no SSD is in use until ssd add or a restart of the DataNode"));
      LocalCacheCluster.await("an empty SSD", () -> open(ssds[0]).usedBytes() == 0);
      assertEquals("is no longer used; no SSD is in use until ssd add or a restart of the "
          + "DataNode", run("remove", ssds[0]));
      assertEquals(List.of(), directories());
      assertEquals(List.of(), TestingSsd.openFilesBelow(ssds[0]));
      assertEquals("no SSD is in use",
          view.block(LocalCacheCluster.key(cluster.block("/file0"))).why());
      view.set("write.budget", "1g", false);
      LocalCacheCluster.await("removed", () -> FileUtil.fullyDelete(ssds[0].toFile()));
      Files.createFile(ssds[0]);
      try (LoggedLines log = new LoggedLines()) {
        assertRefused("add", ssds[0], ssds[0].toString());
        assertEquals("what is kept stays", List.of(), log.lines().stream()
            .filter(line -> line.contains("SsdCommands:")).toList());
      }
      Files.delete(ssds[0]);
      Files.createDirectory(ssds[0]);
      String done = run("add", ssds[0]);
      assertTrue(done, done.matches(
          "is used from now on; the write budget of all SSDs is now 1 GB a day, .* left"));
      // While there was no SSD, the balance of the write budget could not be saved. Saving is
      // retried after a while, and until then no page is filled.
      LocalCacheCluster.await("all files on it", () -> {
        readAll();
        return on(ssds[0]).size() == FILES;
      });
      clients.assertNoneFailed();
    }
    cluster.restartDataNode(0);
    assertEquals("kept on the new SSD, too", "32m", inForce(LocalCacheKeys.CAPACITY));
    run("remove", ssds[0]);
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[0]), directories());
  }

  @Test
  public void bothRemoved_eachIsUsedAgain_restartFindsBoth() throws Exception {
    start(LocalCacheCluster.builder().ssds(2));
    run("remove", ssds[1]);
    run("remove", ssds[0]);
    assertRefused("replace", ssds[0], "is not a directory of this local cache; it has none; ssd add "
        + "uses a new or removed one");
    assertEquals("is used from now on", run("add", ssds[1]));
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[1]), directories());
    run("add", ssds[0]);
    cluster.restartDataNode(0);
    assertEquals(List.of(ssds[0], ssds[1]), directories());
  }

  /** An SSD that takes no new file cannot delete one either. */
  @Test
  public void drain_ssdThatCannotBeWritten_doesNotSayThatItIsDrained() throws Exception {
    start(LocalCacheCluster.builder().ssds(3));
    Path state = open(ssds[0]).root().resolve("state.json");
    TestingSsd.makeUnsavable(state);
    cluster.view(0).set("capacity", "32m", true);
    LocalCacheCluster.await("a failure", () -> !cluster.cache(0).kept().failures().isEmpty());
    String done = run("drain", ssds[0]);
    assertTrue(done, done.matches("gets no more pages, but keeps its files until they can be "
        + "deleted: .*state\\.json: Is a directory"));
    FileUtil.fullyDelete(ssds[1].toFile());
    LocalCacheCluster.await("down", () -> !open(ssds[1]).io().health().mayRead());
    String missing = run("drain", ssds[1]);
    assertTrue(missing, missing.startsWith("gets no more pages, but keeps its files until they can "
        + "be deleted: DOWN: directory is missing: " + ssds[1]));
    assertEquals("is drained, and has no pages", run("drain", ssds[2]).replaceFirst(";.*", ""));
  }

  /** As at the start. */
  @Test
  public void add_belowAFile_saysThatItIsNoDirectory() throws Exception {
    start(LocalCacheCluster.builder());
    Path file = Files.createFile(ssd("file"));
    assertRefused("add", file.resolve("pages"), "must be a directory that the DataNode can use or "
        + "create, but " + file + " is not a directory");
  }

  @Test
  public void add_aRestartWouldReadAnotherName_isRefused() throws Exception {
    start(LocalCacheCluster.builder().ssds(1));
    Path named = Files.createDirectory(ssd("${user.name}"));
    assertRefused("add", named, "a restart would read it as ");
    assertEquals(List.of(ssds[0]), directories());
  }

  private Path added(String name) throws IOException {
    Path ssd = Files.createDirectory(ssd(name)).resolve("pages");
    run("add", ssd);
    return ssd;
  }

  private void assertDown(Path ssd, String why) {
    SsdView view = cluster.view(0).status().ssds().stream()
        .filter(each -> each.directory().equals(ssd.toString())).findFirst().orElseThrow();
    assertEquals("DOWN", view.state());
    assertEquals(ssd + ": " + why, view.reason());
  }

  private void awaitNormal() {
    LocalCacheCluster.await("all SSDs in use", () -> cluster.view(0).status().ssds()
        .stream().allMatch(ssd -> ssd.state().equals("NORMAL")));
  }

  /** Only what is configured may stop the start: an operator can correct that. */
  @Test
  public void added_cannotBeUsedAtTheNextStart_isDownUntilItCan() throws Exception {
    start(LocalCacheCluster.builder().ssds(1).set(TestingConfig.PROBE_INTERVAL, "100ms"));
    Path open = added("open");
    Path file = added("file");
    // The kept state may just be written there.
    LocalCacheCluster.await("removed",
        () -> FileUtil.fullyDelete(file.toFile()) && !Files.exists(file));
    Files.createFile(file);
    Files.setPosixFilePermissions(open.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    cluster.restartDataNode(0);
    assertDown(open, "must not be below a directory that every user can write to (" + open.getParent()
        + " has mode 777)");
    assertDown(file, "must be a directory, and not a link to one");
    assertEquals(Set.of(ssds[0], open, file), Set.copyOf(cluster.cache(0).directories().inUse()));

    Files.setPosixFilePermissions(open.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.delete(file);
    awaitNormal();
  }

  @Test
  public void keptDirectoriesAreDamaged_thoseConfiguredAreUsed() throws Exception {
    start(LocalCacheCluster.builder().ssds(1));
    added("more");
    MiniDFSCluster.DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    try (Stream<Path> files = Files.walk(cluster.directory())) {
      for (Path kept : files.filter(file -> file.endsWith("state.json")).toList()) {
        TestingState.edit(kept,
            "," + ssds[0], "," + ssds[0] + "," + ssds[0].resolve("inside") + ",not/absolute");
      }
    }
    cluster.start(stopped);
    assertEquals(List.of(ssds[0]), directories());
  }
}
