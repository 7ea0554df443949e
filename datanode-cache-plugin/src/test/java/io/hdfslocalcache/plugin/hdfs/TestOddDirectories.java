/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedLines;
import io.hdfslocalcache.testing.RootCommand;
import io.hdfslocalcache.testing.TestingConfig;
import org.junit.Test;

/** Directories with symbolic links in their path, or on a file system without inodes. */
public class TestOddDirectories {

  private static final String FILE = "/file";
  private static final int PAGES = 5;
  private static final int INODES = 60;

  private final LocalCacheCluster.Builder builder =
      LocalCacheCluster.builder().set(TestingConfig.PROBE_INTERVAL, "100ms");

  private static void point(Path link, Path target) throws IOException {
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, target);
  }

  private static void awaitState(LocalCacheCluster cluster, String state, String reason) {
    LocalCacheCluster.await(state + ' ' + reason, () -> {
      LocalCacheMXBean.SsdStatus ssd = cluster.interceptor(0).monitoring().getDirectories().get(0);
      return ssd.getState().equals(state) && ssd.getReason().startsWith(reason);
    });
  }

  @Test
  public void linkInThePath_isFollowedAndMayLeadElsewhere() throws Exception {
    Path one = Files.createDirectories(builder.directory().resolve("one"));
    Path other = Files.createDirectories(builder.directory().resolve("other"));
    Path link = builder.directory().resolve("link");
    point(link, one);
    builder.set(LocalCacheKeys.DIRECTORIES, link.resolve("pages"));
    try (LocalCacheCluster cluster = builder.start()) {
      byte[] bytes = cluster.write(FILE, PAGES * LocalCacheCluster.PAGE);
      cluster.awaitHit(FILE, bytes);

      point(link, other);
      awaitState(cluster, "DOWN", "directory is missing: " + link.resolve("pages"));
      assertArrayEquals(bytes, cluster.read(FILE));
      Files.createDirectory(other.resolve("pages"));
      awaitState(cluster, "NORMAL", "");
      cluster.settle();
      assertEquals("it starts empty", 0, cluster.cache(0).index().pages());

      point(link, one);
      LocalCacheCluster.await("its pages again", () -> cluster.cache(0).index().pages() == PAGES);
      awaitState(cluster, "NORMAL", "");
      cluster.awaitHit(FILE, bytes);
    }
  }

  @Test
  public void noInodesLeft_statusBlamesNoOtherFiles() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("few-inodes"));
    RootCommand.mountWithInodes(mount, INODES);
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"));
    try (LoggedLines log = new LoggedLines(); LocalCacheCluster cluster = builder.start()) {
      byte[] bytes = cluster.write(FILE, 2 * INODES * LocalCacheCluster.PAGE);
      assertArrayEquals(bytes, cluster.read(FILE));
      awaitState(cluster, "NORMAL", "a write found no space; pages get ");
      assertTrue(log.lines().toString(), log.lines().stream().anyMatch(line ->
          line.contains("PAGE_WRITE failed (NO_SPACE) on " + mount.resolve("pages") + ": ")));
      assertArrayEquals(bytes, cluster.read(FILE));
    } finally {
      RootCommand.unmount(mount);
    }
  }

  @Test
  public void noInodeForAnyPage_explainBlamesNoOtherFiles() throws Exception {
    Path mount = Files.createDirectory(builder.directory().resolve("few-inodes"));
    RootCommand.mountWithInodes(mount, INODES);
    builder.set(LocalCacheKeys.DIRECTORIES, mount.resolve("pages"));
    try (LocalCacheCluster cluster = builder.start()) {
      assertThrows(IOException.class, () -> {
        for (int i = 0; i < INODES; i++) {
          Files.createFile(mount.resolve("other" + i));
        }
      });
      byte[] bytes = cluster.write(FILE, LocalCacheCluster.PAGE);
      assertArrayEquals(bytes, cluster.read(FILE));
      LocalCacheCluster.await("no capacity",
          () -> cluster.cache(0).directories().all().get(0).capacityBytes() == 0);
      String why = cluster.view(0).block(LocalCacheCluster.key(cluster.block(FILE))).why();
      assertTrue(why, why.startsWith(
          "a write found no space on the SSD: see its inodes (df -i) and quotas"));
      assertEquals("blocks of " + mount.resolve("pages")
          + ": a write found no space on the SSD: see its inodes "
          + "(df -i) and quotas", cluster.view(0).pins().notFilling());
    } finally {
      RootCommand.unmount(mount);
    }
  }
}
