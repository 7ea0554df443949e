/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.Test;

/** The metrics are where an operator looks: in /jmx and /prom of the DataNode. */
public class TestMetricsEndpoints {

  private static JsonNode bean(LocalCacheCluster cluster) throws IOException {
    JsonNode beans = new ObjectMapper().readTree(
        LocalCacheCluster.get(cluster.dataNode(0).getInfoPort(),
            "/jmx?qry=Hadoop:service=DataNode,name=DataNodeLocalCache-*")).get("beans");
    assertEquals(1, beans.size());
    return beans.get(0);
  }

  @Test
  public void reads_areSeenInJmxAndProm() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder().ssds(2)
        .set(CommonConfigurationKeysPublic.HADOOP_PROMETHEUS_ENABLED, true).start()) {
      cluster.write("/file", 100_000);
      cluster.readUntilCached("/file");
      cluster.read("/file");
      assertEquals(1, cluster.reads(ReadOutcome.HIT));

      // Hadoop shows figures that are up to a metrics period, 10 s, old.
      LocalCacheCluster.await("hit in /jmx", () -> bean(cluster).get("ReadsHit").asLong() == 1);
      JsonNode bean = bean(cluster);
      assertEquals(100_000, bean.get("BytesHit").asLong());
      assertEquals(100_000, bean.get("FillBytes").asLong());
      assertEquals(7, bean.get("Pages").asLong());
      assertEquals(1, bean.get("On").asLong());
      assertEquals(128 << 20, bean.get("CapacityBytes").asLong());
      assertTrue(bean.get("UsedBytes").asLong() >= 100_000);
      assertTrue(bean.toString(), bean.toString().matches(".*\"Errors\\.\\d+\":0,.*"));
      assertTrue(bean.get("tag.Directory.1").asText().endsWith("ssd0"));
      assertTrue(bean.get("tag.Directory.2").asText().endsWith("ssd1"));

      awaitHitInProm(cluster);
      assertTrue(cluster.prom().stream().anyMatch(
          line -> line.startsWith("data_node_local_cache_directory_used_bytes{")
              && line.contains("ssd1")));
      assertTrue(cluster.prom().stream().anyMatch(
          line -> line.startsWith("data_node_local_cache_errors{")
              && line.contains("operation=\"PageRead\"") && line.contains("cause=\"Io\"")));
    }
  }

  private static void awaitHitInProm(LocalCacheCluster cluster) {
    LocalCacheCluster.await("hit in /prom", () -> cluster.prom().stream().anyMatch(
        line -> line.startsWith("data_node_local_cache_reads_hit{") && line.endsWith(" 1")));
  }

  /** As a daemon of a test leaves it that does not end well. */
  @Test(timeout = 300_000)
  public void metricsSystemIsLeftByAnEarlierCluster_promIsOfThePresentOne() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (LocalCacheCluster cluster = LocalCacheCluster.builder()
          .set(CommonConfigurationKeysPublic.HADOOP_PROMETHEUS_ENABLED, true).start()) {
        DefaultMetricsSystem.initialize("left");
        cluster.write("/file", 100_000);
        cluster.readUntilCached("/file");
        cluster.read("/file");
        awaitHitInProm(cluster);
      }
    }
  }
}
