/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.hdfs.LocalCacheMXBean.SsdStatus;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Test;

/** An SSD that does not answer: what reads, operators and the NameNode see of it. */
public class TestHungSsd {

  private static SsdStatus shown(LocalCacheCluster cluster) {
    return cluster.interceptor(0).monitoring().getDirectories().get(0);
  }

  @Test
  public void read_ssdIsDown_bypassesUntilProbesSucceed() throws Exception {
    LogCapturer nameNodeLog = LogCapturer.captureLogs(NameNode.LOG);
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set(TestingConfig.PROBE_INTERVAL, "5s").start()) {
      byte[] bytes = cluster.write("/file", 40 * LocalCacheCluster.PAGE);
      cluster.readUntilCached("/file");
      SsdHealth health = cluster.cache(0).directories().all().get(0).io().health();
      health.hung(Operation.PAGE_READ, TimeUnit.SECONDS.toNanos(1));
      assertEquals("DOWN", shown(cluster).getState());
      assertEquals("does not answer: PageRead for 1000 ms", shown(cluster).getReason());
      long hits = cluster.reads(ReadOutcome.HIT);
      assertArrayEquals(bytes, cluster.read("/file"));
      assertEquals(1, cluster.reads(ReadOutcome.BYPASS_UNHEALTHY));
      assertEquals(hits, cluster.reads(ReadOutcome.HIT));
      LocalCacheCluster.await("error report at the NameNode", () -> nameNodeLog.getOutput()
          .contains("is down: does not answer: PageRead for 1000 ms; no replica is affected"));
      assertEquals("no volume failed", 0,
          cluster.dataNode(0).getFSDataset().getNumFailedVolumes());
      LocalCacheCluster.await("three good probes", () -> health.state() == SsdState.NORMAL);
      assertEquals("", shown(cluster).getReason());
      assertArrayEquals(bytes, cluster.read("/file"));
      assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
    } finally {
      nameNodeLog.stopCapturing();
    }
  }
}
