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

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.admin.BlockStatus;
import io.hdfslocalcache.plugin.admin.BlockStatus.Warming;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.hdfs.LocalCacheMXBean.SsdStatus;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An SSD that cannot be written when the DataNode starts; a file system mounted read-only. */
public class TestDeadSsdAtStart {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path dead;
  private boolean mounted;

  @Before
  public void mount() throws Exception {
    dead = folder.newFolder("dead").toPath();
    mounted = Run.tryTo("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", dead.toString());
    assumeTrue("mounting a file system needs root", mounted);
  }

  @After
  public void unmount() throws Exception {
    if (mounted) {
      assertTrue(Run.tryTo("umount", dead.toString()));
    }
  }

  private void assertServed(String directories, int served) throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    String all = directories.replace("GOOD", builder.directory().resolve("good").toString());
    try (LocalCacheCluster cluster = builder.set(LocalCacheKeys.DIRECTORIES, all).start()) {
      // Until each SSD has a block: their directories' names decide which.
      Set<Path> chosen = new HashSet<>();
      for (int i = 0; i < 8 || chosen.size() <= served; i++) {
        byte[] bytes = cluster.write("/file" + i, 3 * LocalCacheCluster.PAGE);
        chosen.add(cluster.cache(0).directories()
            .reportOf(LocalCacheCluster.key(cluster.block("/file" + i))).directory());
        for (int read = 0; read < 3; read++) {
          assertArrayEquals(bytes, cluster.read("/file" + i));
          cluster.settle();
        }
      }
      assertTrue(cluster.reads(ReadOutcome.BYPASS_UNHEALTHY) > 0);
      assertEquals(served > 0, cluster.reads(ReadOutcome.HIT) > 0);
      List<SsdStatus> states = cluster.interceptor(0).monitoring().getDirectories();
      assertEquals("sorted", states.stream().map(SsdStatus::getPath).sorted().toList(),
          states.stream().map(SsdStatus::getPath).toList());
      SsdStatus broken = states.stream().filter(ssd -> ssd.getPath().equals(dead.toString()))
          .findFirst().get();
      assertEquals("DOWN", broken.getState());
      assertTrue(broken.getReason(), broken.getReason().contains("Read-only file system"));
    }
  }

  @Test
  public void start_oneOfTwoSsdsIsDead_theOtherServes() throws Exception {
    assertServed(dead + ",GOOD", 1);
  }

  /** Blocks on both SSDs in one command: none of them spoils the answers about the others. */
  @Test
  public void commands_someBlocksBelongToTheDeadSsd_eachIsAnswered() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    Path good = builder.directory().resolve("good");
    builder.set(LocalCacheKeys.DIRECTORIES, dead + "," + good);
    try (LocalCacheCluster cluster = builder.start()) {
      Set<BlockKey> ofDead = new HashSet<>();
      Set<BlockKey> ofGood = new HashSet<>();
      for (int i = 0; ofDead.size() < 2 || ofGood.size() < 2; i++) {
        cluster.write("/file" + i, 3 * LocalCacheCluster.PAGE);
        ExtendedBlock block = cluster.block("/file" + i);
        BlockKey key = LocalCacheCluster.key(block);
        Path chosen = cluster.cache(0).directories().reportOf(key).directory();
        (chosen.equals(dead) ? ofDead : ofGood).add(key);
      }
      LocalCacheView view = cluster.view(0);
      String refused = assertThrows(IllegalArgumentException.class,
          () -> view.set("capacity", "9000t", false)).getMessage();
      assertTrue("its size is not known: " + refused, refused.contains("until all SSDs are open"));
      for (BlockKey key : ofDead) {
        BlockStatus status = view.block(key);
        assertEquals(List.of(dead.toString(), "DOWN", 0, 3),
            List.of(status.ssd(), status.ssdState(), status.cachedPages(), status.pages()));
        assertFalse(status.admitted());
        Warming warming = view.warm(key);
        assertEquals(Warming.State.REFUSED, warming.state());
        for (String why : List.of(status.why(), warming.why())) {
          assertTrue(why, why.startsWith("the SSD is DOWN: it must be writable by the DataNode"));
        }
        assertEquals(0, view.clear(key, "test"));
      }
      for (BlockKey key : ofGood) {
        assertEquals(Warming.State.FILLING, view.warm(key).state());
        cluster.settle();
        assertEquals(Warming.State.CACHED, view.warm(key).state());
        assertEquals(good.toString(), view.block(key).ssd());
      }
      assertEquals(ofGood.size(), view.top(10, LocalCacheView.Order.PAGES).size());
      assertEquals(Stream.of(good + " NORMAL", dead + " DOWN").sorted().toList(),
          view.status().ssds().stream().map(ssd -> ssd.directory() + " " + ssd.state()).toList());
      assertEquals(3 * ofGood.size(), view.clearAll("test"));
    }
  }

  @Test
  public void start_allSsdsAreDead_readsAreStock() throws Exception {
    assertServed(dead.toString(), 0);
  }
}
