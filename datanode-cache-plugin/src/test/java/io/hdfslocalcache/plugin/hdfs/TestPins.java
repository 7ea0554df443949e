/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.rules.Pins.PinStatus;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.Before;
import org.junit.Test;

/** Paths that operators pin by command, on a DataNode that admits every block at its first read. */
public class TestPins extends ClusterFixture {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final int PAGES = 10;

  private Path pinsDirectory;

  /** Room for 51 pages. */
  @Before
  public void start() throws IOException {
    LocalCacheCluster.Builder builder =
        // One write at a time: several would each want room in a small quota.
        LocalCacheCluster.builder().set(LocalCacheKeys.CAPACITY, "1m")
            .set(TestingConfig.FILL_THREADS, 1);
    pinsDirectory = builder.directory().resolve("state/pins");
    Path rules = builder.directory().resolve("rules.json");
    Files.writeString(rules, "{\"rules\": [{\"name\": \"never\", \"path\": \"/never\", "
        + "\"action\": \"never\"}]}");
    cluster = builder.set(LocalCacheKeys.PINS_DIRECTORY, pinsDirectory)
        .set(LocalCacheKeys.RULES_FILE, rules).start();
  }

  private LocalCacheView view() {
    return cluster.view(0);
  }

  private void pin(String path, String quota) {
    view().pin(path, quota);
    awaitLookUp();
  }

  private void awaitLookUp() {
    LocalCacheCluster.await("blocks of the pins", () -> view().pins().lookedUp());
  }

  private int pages(String path) throws IOException {
    CachedBlock block = cluster.cached(0, path);
    return block == null ? 0 : block.pages();
  }

  private void flood() throws IOException {
    for (int i = 0; i < 12; i++) {
      String path = "/flood" + i;
      cluster.write(path, PAGES * PAGE);
      cluster.readUntilCached(path);
    }
  }

  private List<Path> pinFiles() throws IOException {
    try (Stream<Path> files = Files.walk(pinsDirectory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  public void pin_pagesThatAreThere_stayWhileOthersComeAndGo() throws Exception {
    cluster.write("/pinned/a", PAGES * PAGE);
    cluster.readUntilCached("/pinned/a");
    pin("/pinned", "512k");
    assertEquals(PAGES, view().pins().pins().get(0).pages());
    flood();
    assertEquals(PAGES, pages("/pinned/a"));
    view().unpin("/pinned");
    assertEquals(List.of(), view().pins().pins());
    LocalCacheCluster.await("pages that belong to no rule",
        () -> cluster.view(0).rules().rules().stream().allMatch(rule -> rule.pages() == 0));
    awaitLookUp();
    flood();
    LocalCacheCluster.await("eviction", () -> {
      try {
        flood();
        return pages("/pinned/a") == 0;
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    });
  }

  @Test
  public void pin_moreThanTheQuotaIsThereAlready_theQuotaStays() throws Exception {
    cluster.write("/pinned/a", PAGES * PAGE);
    cluster.readUntilCached("/pinned/a");
    pin("/pinned", String.valueOf(4 * (PAGE + 4096)));
    LocalCacheCluster.await("the quota", () -> view().pins().pins().get(0).pages() == 4);
    flood();
    assertEquals(4, pages("/pinned/a"));
  }

  @Test
  public void pin_belowAPathThatNeverEnters_pinDecides() throws Exception {
    cluster.write("/never/but/this", PAGES * PAGE);
    cluster.write("/never/other", PAGES * PAGE);
    pin("/never/but", "512k");
    cluster.readUntilCached("/never/but/this");
    cluster.readUntilCached("/never/other");
    assertEquals(PAGES, pages("/never/but/this"));
    assertEquals(0, pages("/never/other"));
  }

  @Test
  public void restart_pinsAreThereAgain_inAPrivateFile() throws Exception {
    cluster.write("/pinned/a", PAGES * PAGE);
    cluster.readUntilCached("/pinned/a");
    pin("/pinned", "512k");
    pin("/pinned/b", "64k");
    assertEquals(1, pinFiles().size());
    assertEquals("rw-------", PosixFilePermissions.toString(
        Files.getPosixFilePermissions(pinFiles().get(0))));
    assertEquals("rwx------", PosixFilePermissions.toString(
        Files.getPosixFilePermissions(pinFiles().get(0).getParent())));
    cluster.restartDataNode(0);
    awaitLookUp();
    assertEquals(List.of("/pinned/b", "/pinned"),
        view().pins().pins().stream().map(PinStatus::path).toList());
    LocalCacheCluster.await("pages on the pin's account",
        () -> view().pins().pins().get(1).pages() == PAGES);
    flood();
    assertEquals(PAGES, pages("/pinned/a"));
  }

  /** After a long outage, the NameNode knows no replica of the DataNode until it reports them. */
  @Test
  public void restart_nameNodeTookTheDataNodeForDead_pagesStayPinned() throws Exception {
    BlockKey key = pinnedAndCached();
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    cluster.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());
    cluster.start(stopped);
    awaitLookUp();
    assertIsPinned(key);
    flood();
    assertEquals(PAGES, pages("/pinned/a"));
  }

  @Test
  public void nameNodeListsNoReplicaOfTheDataNode_pagesStayPinned() throws Exception {
    BlockKey key = pinnedAndCached();
    DataNode dataNode = cluster.dataNode(0);
    DatanodeDescriptor known = cluster.mini().getNamesystem().getBlockManager()
        .getDatanodeManager().getDatanode(dataNode.getDatanodeUuid());
    known.setInMaintenance();
    assertIsListedWithoutLocation();
    // Lists again.
    pin("/pinned", "512k");
    assertIsPinned(key);
    known.stopMaintenance();
    // It would register again.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, true);
    try {
      cluster.mini().setDataNodeDead(dataNode.getDatanodeId());
      assertIsListedWithoutLocation();
      pin("/pinned", "512k");
      assertIsPinned(key);
    } finally {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, false);
    }
  }

  private BlockKey pinnedAndCached() throws IOException {
    cluster.write("/pinned/a", PAGES * PAGE);
    cluster.readUntilCached("/pinned/a");
    pin("/pinned", "512k");
    BlockKey key = LocalCacheCluster.key(cluster.block("/pinned/a"));
    assertIsPinned(key);
    return key;
  }

  private void assertIsPinned(BlockKey key) {
    RuleAccount rule = cluster.cache(0).rules().rules().ofBlock(key);
    assertTrue("the rule is " + rule, rule != null && rule.isPinned());
    assertEquals(PAGES, view().pins().pins().get(0).pages());
  }

  private void assertIsListedWithoutLocation() throws IOException {
    assertEquals(0, cluster.blocks("/pinned/a").get(0).getLocations().length);
  }

  /** The next round, which would assign the pages, is minutes away. */
  @Test
  public void ssdReturnsWhileTheDataNodeRuns_itsPagesStayPinned() throws Exception {
    cluster.write("/pinned/a", PAGES * PAGE);
    cluster.readUntilCached("/pinned/a");
    pin("/pinned", "512k");
    String ssd = cluster.cache(0).directories().all().get(0).path().toString();
    view().ssd("remove", ssd);
    assertEquals(0, view().pins().pins().get(0).pages());
    String why = assertThrows(
        IllegalArgumentException.class, () -> view().pin("/more", "default")).getMessage();
    assertTrue(why, why.contains("no SSD is in use"));
    view().ssd("add", ssd);
    LocalCacheCluster.await("the restore", () -> !cluster.cache(0).restore().isInProgress());
    assertEquals(PAGES, pages("/pinned/a"));
    assertEquals(PAGES, view().pins().pins().get(0).pages());
  }

  @Test
  public void pin_againWithAnotherQuota_isOnePin() throws Exception {
    pin("/pinned", "512k");
    pin("/pinned", "256k");
    assertEquals(1, view().pins().pins().size());
    assertEquals(256 << 10, view().pins().pins().get(0).quota());
    pin("/pinned", "default");
    assertEquals("without a quota, as before", 256 << 10, view().pins().pins().get(0).quota());
    assertThrows(IllegalArgumentException.class, () -> view().pin("/other", "800k"));
    assertEquals(1, view().pins().pins().size());
  }

  @Test
  public void capacityBelowTheQuotas_isSaid_andThePinsCanBeGivenAgain() throws Exception {
    cluster.write("/cold", 40 * PAGE);
    cluster.readUntilCached("/cold");
    pin("/pinned", "512k");
    pin("/other", "256k");
    assertEquals("", view().pins().tooMuch());
    String tooMuch = "all pins have 768 KB, which is more than the 600 KB that the local cache holds";
    String note = view().set("capacity", "600k", false).note();
    assertTrue(note, note.endsWith(" are evicted within ten minutes; " + tooMuch));
    assertEquals(tooMuch, view().pins().tooMuch());
    pin("/pinned", "512k");
    pin("/pinned", "400k");
    pin("/other", "200k");
    assertEquals("", view().pins().tooMuch());
    String why = assertThrows(
        IllegalArgumentException.class, () -> view().pin("/other", "256k")).getMessage();
    assertEquals("/other: with a quota of 256 KB, all pins have 656 KB, which is more than the "
        + "600 KB that the local cache holds", why);
    String ssd = cluster.cache(0).directories().all().get(0).path().toString();
    assertTrue(view().ssd("drain", ssd).done().endsWith(
        "; all pins have 600 KB, which is more than the 0 B that the local cache holds"));
    assertEquals("", view().ssd("add", ssd).done().replace("is used from now on", ""));
  }

  /** It saves nothing. */
  @Test
  public void pin_again_nothingCanBeSaved_listsThePath() throws Exception {
    pin("/pinned", "512k");
    Path state = cluster.cache(0).directories().all().get(0).root().resolve("state.json");
    for (Path one : List.of(state, pinsDirectory.resolve(state.getParent().getFileName())
        .resolve("state.json"))) {
      TestingSsd.makeUnsavable(one);
    }
    assertThrows(IllegalArgumentException.class, () -> view().pin("/pinned", "256k"));
    pin("/pinned", "512k");
    pin("/pinned", "default");
    assertEquals(512 << 10, view().pins().pins().get(0).quota());
  }

  /** The next round is minutes away. */
  @Test
  public void pin_again_countsWhatWasWrittenSince() throws Exception {
    cluster.write("/pinned/a", PAGES * PAGE);
    pin("/pinned", "512k");
    assertEquals(1, view().pins().pins().get(0).replicas());
    cluster.write("/pinned/b", PAGES * PAGE);
    pin("/pinned", "512k");
    assertEquals(2, view().pins().pins().get(0).replicas());
  }

  @Test
  public void pins_offOrWithASsdThatIsDown_sayWhyNothingIsFilled() {
    assertEquals("", view().pins().notFilling());
    SsdDirectory ssd = cluster.cache(0).directories().all().get(0);
    ssd.io().health().lost("unplugged");
    String down = "blocks of " + ssd.path() + ", which is DOWN: unplugged";
    assertEquals(down, view().pins().notFilling());
    cluster.interceptor(0).onOff().setOn(false, "by the test");
    assertEquals("the local cache is off; " + down, view().pins().notFilling());
  }

  @Test
  public void pin_moreThanThereMayBe_isRefused() {
    for (int i = 0; i < 31; i++) {
      view().pin("/pinned" + i, "32k");
    }
    String why = assertThrows(
        IllegalArgumentException.class, () -> view().pin("/more", "64k")).getMessage();
    assertTrue(why, why.contains("with a quota of 64 KB, all pins have 1,081,344 B, "
        + "which is more than the 1,048,576 B that the local cache holds"));
  }
}
