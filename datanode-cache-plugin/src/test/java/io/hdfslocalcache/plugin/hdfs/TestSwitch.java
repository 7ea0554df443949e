/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.util.List;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.ssd.TestingState;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Test;
import org.slf4j.LoggerFactory;

/** On and off, at once, for reads in progress too. */
public class TestSwitch {

  private static final int LENGTH = 300_000;

  @Test
  public void disabledInConfiguration_canBeSwitchedOn() throws Exception {
    try (LocalCacheCluster cluster =
        LocalCacheCluster.builder().set(LocalCacheKeys.ENABLED, false).start()) {
      byte[] bytes = cluster.write("/file", LENGTH);
      cluster.readUntilCached("/file");
      assertEquals(1, cluster.reads(ReadOutcome.BYPASS_OFF));
      cluster.interceptor(0).onOff().setOn(true, "test");
      cluster.readUntilCached("/file");
      assertArrayEquals(bytes, cluster.read("/file"));
      assertEquals(1, cluster.reads(ReadOutcome.HIT));
    }
  }

  @Test
  public void noDirectory_staysOffAndReadsAreStock() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set(LocalCacheKeys.ENABLED, false).set(LocalCacheKeys.DIRECTORIES, "").start()) {
      byte[] bytes = cluster.write("/file", LENGTH);
      cluster.interceptor(0).onOff().setOn(true, "test");
      assertFalse(cluster.interceptor(0).onOff().isOn());
      assertThrows(IllegalArgumentException.class, () -> keep(cluster, false));
      assertEquals("nothing is kept", "(" + LocalCacheKeys.DIRECTORIES + " names no directory)",
          cluster.interceptor(0).onOff().describe());
      assertArrayEquals(bytes, cluster.read("/file"));
    }
  }

  @Test
  public void kept_comesBackWithARestartUntilTheConfigurationSaysSomethingNew() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder().start()) {
      keep(cluster, false);
      LogCapturer log =
          LogCapturer.captureLogs(LoggerFactory.getLogger(LocalCacheInterceptor.class));
      cluster.restartDataNode(0);
      log.stopCapturing();
      assertEquals("the log tells only the state in force", List.of("off"),
          log.getOutput().lines().filter(line -> line.startsWith("Local cache is "))
              .map(line -> line.replaceFirst("Local cache is ([a-z]+): .*", "$1")).toList());
      assertFalse(cluster.interceptor(0).onOff().isOn());
      assertEquals("(saved for restarts, configured is on)",
          cluster.interceptor(0).onOff().describe());
      cluster.interceptor(0).onOff().setOn(true, "test");
      assertEquals("(until the DataNode restarts)", cluster.interceptor(0).onOff().describe());
      cluster.restartDataNode(0);
      assertFalse("still kept", cluster.interceptor(0).onOff().isOn());

      keep(cluster, true);
      assertEquals("", cluster.interceptor(0).onOff().describe());
      keep(cluster, false);
      // As if the configuration had said false when this was kept.
      java.nio.file.Path kept = cluster.cache(0).directories().all().get(0).root().resolve("state.json");
      MiniDFSCluster.DataNodeProperties stopped = cluster.mini().stopDataNode(0);
      TestingState.edit(kept, "\"true\"", "\"false\"");
      cluster.start(stopped);
      assertTrue("what was configured later", cluster.interceptor(0).onOff().isOn());
    }
  }

  private static void keep(LocalCacheCluster cluster, boolean on) {
    cluster.interceptor(0).onOff().keep(on);
    cluster.interceptor(0).onOff().setOn(on, "test");
  }
}
