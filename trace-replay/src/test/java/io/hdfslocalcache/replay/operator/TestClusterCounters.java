/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

import io.hdfslocalcache.replay.operator.DataNodeMetrics.ClusterCounters;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.ClusterCounters.Counted;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** The counters of DataNodes between two moments, whatever happens meanwhile. */
public class TestClusterCounters {

  private static final double NEAR = 1e-9;

  private FakeDataNode one;
  private FakeDataNode other;

  @Before
  public void start() throws IOException {
    one = new FakeDataNode();
    other = new FakeDataNode();
  }

  @After
  public void stop() {
    one.close();
    other.close();
  }

  /** Asks twice: at the beginning, and at the end. */
  private static Counted count(FakeDataNode... dataNodes) throws IOException {
    ClusterCounters counters = new ClusterCounters(new DistributedFileSystem() {
      @Override
      public DatanodeInfo[] getDataNodeStats(DatanodeReportType type) {
        assertEquals(DatanodeReportType.LIVE, type);
        return Arrays.stream(dataNodes).map(FakeDataNode::info).toArray(DatanodeInfo[]::new);
      }
    });
    return counters.end();
  }

  private static void assertCounted(int silent, long fromSsd, long fromDisk, Counted counted) {
    assertEquals(silent, counted.silent());
    assertEquals(fromSsd, counted.counters().orElseThrow().bytesFromSsd());
    assertEquals(fromDisk, counted.counters().orElseThrow().bytesFromDisk());
  }

  @Test
  public void twoDataNodes_areAddedUp_withoutWhatWasBefore() throws Exception {
    one.first(FakeDataNode.bytes(1000, 5000)).shows(FakeDataNode.bytes(1300, 5100));
    other.first(FakeDataNode.bytes(0, 0)).shows(FakeDataNode.bytes(0, 200));
    Counted counted = count(one, other);
    assertCounted(0, 300, 300, counted);
    assertEquals(0.5, counted.counters().orElseThrow().offload().getAsDouble(), NEAR);
  }

  @Test
  public void dataNodeWithoutLocalCache_isSilent_andTheOtherCounts() throws Exception {
    one.first(FakeDataNode.bytes(0, 0)).shows(FakeDataNode.bytes(10, 0));
    assertCounted(1, 10, 0, count(one, other.isBroken()));
  }

  @Test
  public void nobodyAnswers_nothingIsKnown() throws Exception {
    Counted counted = count(one.isBroken(), other.isBroken());
    assertTrue(counted.counters().isEmpty());
    assertEquals(2, counted.silent());
  }

  /** Its counters since its start say nothing about the benchmark. */
  @Test
  public void dataNodeThatAnswersOnlyOnce_isSilent() throws Exception {
    one.first(Map.of("another", "bean")).shows(FakeDataNode.bytes(1L << 40, 1L << 42));
    other.first(FakeDataNode.bytes(700, 700)).isBroken();
    Counted counted = count(one, other);
    assertTrue(counted.counters().isEmpty());
    assertEquals(2, counted.silent());
  }

  @Test
  public void dataNodeThatIsRestarted_countsFromZero() throws Exception {
    one.first(FakeDataNode.figures(Map.of("ReadsHit", 9000, "BytesHit", 9000)))
        .shows(FakeDataNode.figures(Map.of("ReadsHit", 3, "BytesHit", 30)));
    assertCounted(0, 30, 0, count(one));
  }
}
