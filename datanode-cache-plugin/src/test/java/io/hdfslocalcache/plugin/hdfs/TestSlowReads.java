/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.Test;

/** Waits for disks are counted, for data volumes and SSDs apart. Every wait is longer than 0. */
public class TestSlowReads {

  private static final int LENGTH = 300_000;
  private static final int PACKET = 64 << 10;
  private static final int SMALL_PACKET = 4096;

  private static LocalCacheCluster.Builder every() {
    return LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY, 0);
  }

  private static long total(LocalCacheCluster cluster, Event event) {
    return cluster.metrics(0).total(event);
  }

  private static int packets(int size) {
    return (LENGTH + size - 1) / size;
  }

  @Test
  public void miss_filled_eachPageIsAReadOfTheHdd() throws Exception {
    try (LocalCacheCluster cluster = every().start()) {
      cluster.write("/file", LENGTH);
      cluster.read("/file");
      assertEquals(packets(LocalCacheCluster.PAGE), total(cluster, Event.SLOW_READS_HDD));
      assertTrue(total(cluster, Event.READ_NANOS_HDD) > 0);
      assertEquals(0, total(cluster, Event.SLOW_READS_SSD));
      assertEquals(0, total(cluster, Event.READ_NANOS_SSD));
    }
  }

  @Test
  public void missNotAdmitted_bySendfile_eachPacketIsAReadOfTheHdd() throws Exception {
    try (LocalCacheCluster cluster = every().threshold(1000).start()) {
      cluster.write("/file", LENGTH);
      cluster.read("/file");
      assertEquals(packets(PACKET), total(cluster, Event.SLOW_READS_HDD));
      assertTrue(total(cluster, Event.READ_NANOS_HDD) >= packets(PACKET));
    }
  }

  @Test
  public void missNotAdmitted_byCopy_eachPacketIsAReadOfTheHdd() throws Exception {
    try (LocalCacheCluster cluster = every().threshold(1000)
        .set(DFSConfigKeys.DFS_DATANODE_TRANSFERTO_ALLOWED_KEY, false).start()) {
      cluster.write("/file", LENGTH);
      cluster.read("/file");
      assertEquals(packets(SMALL_PACKET), total(cluster, Event.SLOW_READS_HDD));
      assertTrue(total(cluster, Event.READ_NANOS_HDD) >= packets(SMALL_PACKET));
    }
  }

  @Test
  public void miss_highThreshold_noneIsSlowAndAllAreTimed() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY, 3_600_000).start()) {
      cluster.write("/file", LENGTH);
      cluster.read("/file");
      assertEquals(0, total(cluster, Event.SLOW_READS_HDD));
      assertTrue(total(cluster, Event.READ_NANOS_HDD) > 0);
    }
  }

  @Test
  public void read_switchedOff_isTimed() throws Exception {
    try (LocalCacheCluster cluster = every().start()) {
      cluster.write("/file", LENGTH);
      cluster.interceptor(0).onOff().setOn(false, "test");
      cluster.read("/file");
      assertEquals(1, cluster.reads(ReadOutcome.BYPASS_OFF));
      assertEquals(packets(PACKET), total(cluster, Event.SLOW_READS_HDD));
    }
  }

  @Test
  public void partialHit_whatComesFromTheReplica_isTimed() throws Exception {
    try (LocalCacheCluster cluster = every().start()) {
      byte[] bytes = cluster.write("/file", LENGTH);
      cluster.pread("/file", 0, LocalCacheCluster.PAGE);
      cluster.settle();
      long before = total(cluster, Event.SLOW_READS_HDD);
      assertArrayEquals(bytes, cluster.read("/file"));
      assertEquals(1, cluster.reads(ReadOutcome.PARTIAL_HIT));
      assertTrue(total(cluster, Event.SLOW_READS_HDD) > before);
    }
  }

  @Test
  public void hit_notInMemory_isAReadOfTheSsdAndNotOfTheHdd() throws Exception {
    try (LocalCacheCluster cluster = every().start()) {
      byte[] bytes = cluster.write("/file", LENGTH);
      cluster.readUntilCached("/file");
      long hdd = total(cluster, Event.SLOW_READS_HDD);
      assertArrayEquals(bytes, cluster.read("/file"));
      assertEquals(1, cluster.reads(ReadOutcome.HIT));
      assertEquals(hdd, total(cluster, Event.SLOW_READS_HDD));
      assertEquals("one for each page", LENGTH / LocalCacheCluster.PAGE + 1,
          total(cluster, Event.SLOW_READS_SSD));
      assertTrue(total(cluster, Event.READ_NANOS_SSD) >= total(cluster, Event.SLOW_READS_SSD));
    }
  }

  @Test
  public void hit_inMemory_isAReadOfNoDisk() throws Exception {
    try (LocalCacheCluster cluster = every().start()) {
      byte[] bytes = cluster.write("/file", LENGTH);
      cluster.readUntilCached("/file");
      cluster.readUntilInMemory("/file");
      long hdd = total(cluster, Event.READ_NANOS_HDD);
      long ssd = total(cluster, Event.READ_NANOS_SSD);
      assertArrayEquals(bytes, cluster.read("/file"));
      assertEquals(hdd, total(cluster, Event.READ_NANOS_HDD));
      assertEquals(ssd, total(cluster, Event.READ_NANOS_SSD));
    }
  }
}
