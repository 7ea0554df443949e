/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
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
    mounted = run("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", dead.toString());
    assumeTrue("mounting a file system needs root", mounted);
  }

  @After
  public void unmount() throws Exception {
    if (mounted) {
      assertTrue(run("umount", dead.toString()));
    }
  }

  private static boolean run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void assertServed(String directories, int served) throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    String all = directories.replace("GOOD", builder.directory().resolve("good").toString());
    try (LocalCacheCluster cluster = builder.set(LocalCacheKeys.DIRECTORIES, all).start()) {
      for (int i = 0; i < 8; i++) {
        byte[] bytes = cluster.write("/file" + i, 3 * LocalCacheCluster.PAGE);
        for (int read = 0; read < 3; read++) {
          assertArrayEquals(bytes, cluster.read("/file" + i));
          cluster.settle();
        }
      }
      assertTrue(cluster.reads(ReadOutcome.BYPASS_UNHEALTHY) > 0);
      assertEquals(served > 0, cluster.reads(ReadOutcome.HIT) > 0);
      SsdStatus last = cluster.interceptor(0).getDirectories().get(served);
      assertEquals(dead.toString(), last.getPath());
      assertEquals("DOWN", last.getState());
      assertTrue(last.getReason(), last.getReason().contains("Read-only file system"));
    }
  }

  @Test
  public void start_oneOfTwoSsdsIsDead_theOtherServes() throws Exception {
    assertServed(dead + ",GOOD", 1);
  }

  @Test
  public void start_allSsdsAreDead_readsAreStock() throws Exception {
    assertServed(dead.toString(), 0);
  }
}
