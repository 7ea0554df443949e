/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** Waits for disks are counted, for data volumes and SSDs apart. Every wait is longer than 0. */
public class TestSlowReads {

  private static final int LENGTH = 300_000;
  private static final int PACKET = 64 << 10;
  private static final int SMALL_PACKET = 4096;

  /** A cluster in which every wait counts as slow. */
  private static LocalCacheCluster cluster;
  private String file;
  private byte[] bytes;
  private Map<Event, Long> before;

  private static LocalCacheCluster.Builder every() {
    return LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY, 0);
  }

  @BeforeClass
  public static void start() throws Exception {
    cluster = every().start();
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  @Before
  public void write() throws Exception {
    file = "/file" + System.nanoTime();
    bytes = cluster.write(file, LENGTH);
    begin();
  }

  /** Resets the counters. */
  private void begin() {
    before = Stream.of(Event.values())
        .collect(Collectors.toMap(event -> event, cluster.metrics(0)::total));
  }

  private long total(Event event) {
    return cluster.metrics(0).total(event) - before.get(event);
  }

  private static int packets(int size) {
    return (LENGTH + size - 1) / size;
  }

  @Test
  public void miss_filled_eachPageIsAReadOfTheHdd() throws Exception {
    cluster.read(file);
    assertEquals(packets(LocalCacheCluster.PAGE), total(Event.SLOW_READS_HDD));
    assertTrue(total(Event.READ_NANOS_HDD) > 0);
    assertEquals(0, total(Event.SLOW_READS_SSD));
    assertEquals(0, total(Event.READ_NANOS_SSD));
  }

  @Test
  public void partialHit_whatComesFromTheReplica_isTimed() throws Exception {
    cluster.pread(file, 0, LocalCacheCluster.PAGE);
    cluster.settle();
    begin();
    long partialHits = cluster.reads(ReadOutcome.PARTIAL_HIT);
    assertArrayEquals(bytes, cluster.read(file));
    assertEquals(partialHits + 1, cluster.reads(ReadOutcome.PARTIAL_HIT));
    assertTrue(total(Event.SLOW_READS_HDD) > 0);
  }

  @Test
  public void hit_notInMemory_isAReadOfTheSsdAndNotOfTheHdd() throws Exception {
    cluster.readUntilCached(file);
    begin();
    long hits = cluster.reads(ReadOutcome.HIT);
    assertArrayEquals(bytes, cluster.read(file));
    assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
    assertEquals(0, total(Event.SLOW_READS_HDD));
    assertEquals("one for each page", packets(LocalCacheCluster.PAGE),
        total(Event.SLOW_READS_SSD));
    assertTrue(total(Event.READ_NANOS_SSD) >= total(Event.SLOW_READS_SSD));
  }

  @Test
  public void hit_inMemory_isAReadOfNoDisk() throws Exception {
    cluster.readUntilCached(file);
    cluster.readUntilInMemory(file);
    begin();
    assertArrayEquals(bytes, cluster.read(file));
    assertEquals(0, total(Event.READ_NANOS_HDD));
    assertEquals(0, total(Event.READ_NANOS_SSD));
  }

  private static void assertMiss(LocalCacheCluster.Builder builder, int slow, int atLeastNanos)
      throws Exception {
    try (LocalCacheCluster other = builder.start()) {
      other.write("/file", LENGTH);
      other.read("/file");
      assertEquals(slow, other.metrics(0).total(Event.SLOW_READS_HDD));
      assertTrue(other.metrics(0).total(Event.READ_NANOS_HDD) >= atLeastNanos);
    }
  }

  @Test
  public void missNotAdmitted_bySendfileOrByCopy_eachPacketIsAReadOfTheHdd() throws Exception {
    assertMiss(every().threshold(1000), packets(PACKET), packets(PACKET));
    assertMiss(every().threshold(1000)
        .set(DFSConfigKeys.DFS_DATANODE_TRANSFERTO_ALLOWED_KEY, false),
        packets(SMALL_PACKET), packets(SMALL_PACKET));
  }

  @Test
  public void miss_highThreshold_noneIsSlowAndAllAreTimed() throws Exception {
    assertMiss(LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY, 3_600_000), 0, 1);
  }
}
