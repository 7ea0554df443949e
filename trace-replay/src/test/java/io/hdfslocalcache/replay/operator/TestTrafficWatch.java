/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

import io.hdfslocalcache.replay.operator.Traffic.TrafficWatch;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What a benchmark hears of its DataNodes, be they slow to answer, restarted or silent. */
public class TestTrafficWatch {

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

  /** A cluster with these DataNodes. */
  private static DistributedFileSystem cluster(FakeDataNode... dataNodes) {
    return new DistributedFileSystem() {
      @Override
      public DatanodeInfo[] getDataNodeStats(DatanodeReportType type) {
        assertEquals(DatanodeReportType.LIVE, type);
        return Arrays.stream(dataNodes).map(FakeDataNode::info).toArray(DatanodeInfo[]::new);
      }
    };
  }

  /** Asks twice: when the watch begins, and when it ends. */
  private static Traffic watch(FakeDataNode... dataNodes) throws Exception {
    try (TrafficWatch watch =
             new TrafficWatch(cluster(dataNodes), System.currentTimeMillis())) {
      for (FakeDataNode dataNode : dataNodes) {
        dataNode.awaitQuestion();
      }
      return watch.end();
    }
  }

  private static long fromLocalCache(Traffic traffic) {
    return traffic.fromLocalCache(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static long fromReplicas(Traffic traffic) {
    return traffic.fromReplicas(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Test
  public void twoDataNodes_areAddedUp_withoutWhatWasBefore() throws Exception {
    one.first(FakeDataNode.bytes(1000, 5000)).shows(FakeDataNode.bytes(1300, 5100));
    other.first(FakeDataNode.bytes(0, 0)).shows(FakeDataNode.bytes(0, 200));
    Traffic traffic = watch(one, other);
    assertTrue(traffic.isKnown());
    assertEquals(0, traffic.silentDataNodes());
    assertEquals(300, fromLocalCache(traffic));
    assertEquals(300, fromReplicas(traffic));
    assertEquals(0.5, traffic.offload(Long.MIN_VALUE, Long.MAX_VALUE).getAsDouble(), NEAR);
  }

  @Test
  public void reuse_isOfReadsOfAdmittedBlocks() throws Exception {
    one.first(FakeDataNode.figures(Map.of())).shows(FakeDataNode.figures(Map.of(
        "ReadsHit", 6, "ReadsPartialHit", 1, "ReadsMissAdmitted", 3, "ReadsMissNotAdmitted", 90)));
    assertEquals(0.6, watch(one).reuse(Long.MIN_VALUE, Long.MAX_VALUE).getAsDouble(), NEAR);
  }

  @Test
  public void dataNodeWithoutLocalCache_isSilent_andTheOtherCounts() throws Exception {
    one.first(FakeDataNode.bytes(0, 0)).shows(FakeDataNode.bytes(10, 0));
    other.isBroken();
    Traffic traffic = watch(one, other);
    assertEquals(1, traffic.silentDataNodes());
    assertEquals(10, fromLocalCache(traffic));
  }

  @Test
  public void nobodyAnswers_nothingIsKnown() throws Exception {
    Traffic traffic = watch(one.isBroken(), other.isBroken());
    assertFalse(traffic.isKnown());
    assertEquals(2, traffic.silentDataNodes());
    assertEquals(0, fromReplicas(traffic));
  }

  @Test
  public void dataNodeThatStopsAnswering_keepsWhatItTold() throws Exception {
    one.first(FakeDataNode.bytes(0, 0)).shows(FakeDataNode.bytes(0, 400));
    other.first(FakeDataNode.bytes(700, 700)).isBroken();
    Traffic traffic = watch(one, other);
    assertEquals("it has answered once", 0, traffic.silentDataNodes());
    assertEquals("and is not taken away again", 0, fromLocalCache(traffic));
    assertEquals(400, fromReplicas(traffic));
  }

  /** What it has counted since it was started has nothing to do with the benchmark. */
  @Test
  public void dataNodeThatAnswersLater_countsFromThen() throws Exception {
    one.first(FakeDataNode.bytes(0, 0)).shows(FakeDataNode.bytes(0, 100));
    other.first(Map.of("another", "bean")).shows(FakeDataNode.bytes(1L << 40, 1L << 42));
    Traffic traffic = watch(one, other);
    assertEquals(0, traffic.silentDataNodes());
    assertEquals(0, fromLocalCache(traffic));
    assertEquals(100, fromReplicas(traffic));
  }

  @Test
  public void dataNodeThatIsRestarted_countsOnFromZero() throws Exception {
    one.first(FakeDataNode.bytes(9000, 9000)).shows(FakeDataNode.bytes(30, 10));
    Traffic traffic = watch(one);
    assertEquals(30, fromLocalCache(traffic));
    assertEquals(10, fromReplicas(traffic));
    assertEquals(0.75, traffic.offload(Long.MIN_VALUE, Long.MAX_VALUE).getAsDouble(), NEAR);
  }

  @Test
  public void samples_haveTheTimeSinceTheReadersBegin() throws Exception {
    one.first(FakeDataNode.bytes(0, 0)).shows(FakeDataNode.bytes(0, 100));
    Traffic traffic = watch(one);
    assertEquals("a second before", 0, traffic.fromReplicas(Long.MIN_VALUE, -1000));
    assertEquals("an hour later", 0, traffic.fromReplicas(3_600_000, Long.MAX_VALUE));
  }
}
