/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.junit.Test;

/** What the local cache counts is where an operator looks: in /jmx and /prom of the DataNode. */
public class TestMetricsEndpoints {

  private static JsonNode bean(LocalCacheCluster cluster) {
    try {
      JsonNode beans = new ObjectMapper().readTree(
          get(cluster.dataNode(0).getInfoPort(),
              "/jmx?qry=Hadoop:service=DataNode,name=DataNodeLocalCache-*")).get("beans");
      assertEquals(1, beans.size());
      return beans.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String get(int port, String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    // The DataNode's front end refuses what asks to be upgraded to HTTP/2.
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try {
      return client.send(
          HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
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

      // One metrics system serves the whole JVM here, and only its first server, the NameNode's.
      int prom = cluster.mini().getNameNode().getHttpAddress().getPort();
      LocalCacheCluster.await("hit in /prom", () -> get(prom, "/prom").lines().anyMatch(
          line -> line.startsWith("data_node_local_cache_reads_hit{") && line.endsWith(" 1")));
      assertTrue(get(prom, "/prom").lines().anyMatch(
          line -> line.startsWith("data_node_local_cache_directory_used_bytes{")
              && line.contains("ssd1")));
      assertTrue(get(prom, "/prom").lines().anyMatch(
          line -> line.startsWith("data_node_local_cache_errors{")
              && line.contains("operation=\"PageRead\"") && line.contains("cause=\"Io\"")));
    }
  }
}
