/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.net.unix.DomainSocket;
import org.junit.Before;
import org.junit.Test;

/** Clients on the DataNode's machine. Run by {@link TestShortCircuitReads}. */
public class ShortCircuitReads {

  private static final int LENGTH = 300_100;

  @Before
  public void prepare() {
    // First: the library is older than Hadoop's classes and fails to serve these. It then undoes
    // its set-up for domain sockets, if it is there by then.
    NativeIO.isAvailable();
    NativeIO.POSIX.isAvailable();
    String reason = DomainSocket.getLoadingFailureReason();
    if (reason != null) {
      System.out.println("Not tested: " + reason);
    }
    assumeTrue(reason == null);
    DomainSocket.disableBindPathValidation();
  }

  private static LocalCacheCluster start(String key) throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    return builder.set(key, true)
        .set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, key)
        .set(DFSConfigKeys.DFS_DOMAIN_SOCKET_PATH_KEY, builder.directory().resolve("dn._PORT"))
        .start();
  }

  private static ReadStatistics read(LocalCacheCluster cluster, byte[] expected)
      throws Exception {
    byte[] bytes = new byte[LENGTH];
    try (FSDataInputStream in = cluster.fs().open(new Path("/file"))) {
      in.readFully(bytes);
      assertArrayEquals(expected, bytes);
      return ((HdfsDataInputStream) in).getReadStatistics();
    } finally {
      cluster.settle();
    }
  }

  @Test
  public void shortCircuit_readsPassTheLocalCacheByAndAreCounted() throws Exception {
    try (LocalCacheCluster cluster = start(HdfsClientConfigKeys.Read.ShortCircuit.KEY)) {
      byte[] bytes = cluster.write("/file", LENGTH);
      assertEquals(0, cluster.interceptor(0).monitoring().shortCircuitOpens());
      for (int i = 0; i < 3; i++) {
        assertEquals(LENGTH, read(cluster, bytes).getTotalShortCircuitBytesRead());
      }
      assertTrue(cluster.interceptor(0).monitoring().shortCircuitOpens() > 0);
      for (ReadOutcome outcome : ReadOutcome.values()) {
        assertEquals(outcome.name(), 0, cluster.reads(outcome));
      }
      assertNull(cluster.cached(0, "/file"));
    }
  }

  /** The DataNode sends, though not over TCP: the local cache does see it. */
  @Test
  public void dataOverADomainSocket_hit() throws Exception {
    try (LocalCacheCluster cluster =
        start(HdfsClientConfigKeys.DFS_CLIENT_DOMAIN_SOCKET_DATA_TRAFFIC)) {
      byte[] bytes = cluster.write("/file", LENGTH);
      for (int i = 0; i < 3; i++) {
        ReadStatistics statistics = read(cluster, bytes);
        assertEquals(LENGTH, statistics.getTotalLocalBytesRead());
        assertEquals(0, statistics.getTotalShortCircuitBytesRead());
      }
      assertTrue(cluster.reads(ReadOutcome.HIT) >= 1);
      assertTrue(cluster.metrics(0).total(Event.BYTES_HIT) >= LENGTH);
      assertEquals(0, cluster.interceptor(0).monitoring().shortCircuitOpens());
      assertEquals(0, cluster.metrics(0).errors());
    }
  }
}
