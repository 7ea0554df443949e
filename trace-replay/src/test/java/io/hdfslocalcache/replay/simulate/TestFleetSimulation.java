/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.FleetResult.DataNode;
import io.hdfslocalcache.replay.simulate.FleetSimulation.Cluster;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;
import org.junit.BeforeClass;
import org.junit.Test;

/** A cluster's trace on its DataNodes. */
public class TestFleetSimulation {

  private static final double NEAR = 1e-9;
  private static final int SHUFFLED = FleetSimulation.SHUFFLED;
  private static final Setting LARGE =
      new Setting(Limiter.ADMIT_ALL, Eviction.LRU, 1 << 20, 1L << 40);
  private static final Setting SMALL =
      new Setting(Limiter.ADMIT_ALL, Eviction.LRU, Traces.PAGE, 1 << 20);

  private static Trace generated;

  @BeforeClass
  public static void generate() throws Exception {
    generated = Traces.generated(Kind.CHURN);
  }

  private static FleetResult run(Trace trace, int size, String lost, int preferred,
      Setting setting) throws Exception {
    return new FleetSimulation(trace, new Cluster(size, lost, Disk.DEFAULT), preferred)
        .run(setting, n -> { });
  }

  private static DataNode dataNode(FleetResult result, String name) {
    return result.dataNodes().stream().filter(each -> each.name().equals(name)).findFirst()
        .orElseThrow();
  }

  @Test
  public void affinity_fewerCopiesMoreOffloadFewerWrites() throws Exception {
    FleetResult shuffled = run(generated, 9, null, SHUFFLED, LARGE);
    FleetResult two = run(generated, 9, null, 2, LARGE);
    FleetResult one = run(generated, 9, null, 1, LARGE);
    assertTrue(shuffled.copies() > two.copies());
    assertTrue(two.copies() > one.copies());
    assertEquals("one copy of each page", 1, one.copies(), NEAR);
    assertTrue(shuffled.total().offload() < two.total().offload());
    assertTrue(two.total().offload() < one.total().offload());
    assertTrue(shuffled.total().bytesWritten() > two.total().bytesWritten());
    assertEquals(shuffled.total().bytes(), two.total().bytes());
  }

  @Test
  public void oneDataNode_doesWhatASingleOneDoes() throws Exception {
    // With several HDDs, blocks could be on others of them.
    Disk disk = new Disk(11.5, 143e6, 1);
    FleetResult fleet = new FleetSimulation(generated, new Cluster(1, null, disk), SHUFFLED)
        .run(LARGE, n -> { });
    PageTrace pages = PageTrace.of(generated, LARGE.pageSize());
    Result single = new DemandFilled(LARGE, pages, disk)
        .run(DiskLoad.withoutLocalCache(pages, disk), n -> { });
    assertEquals(single.offload(), fleet.total().offload(), NEAR);
    assertEquals(single.bytesWritten(), fleet.total().bytesWritten());
    assertEquals(single.load().seconds(), fleet.total().hddSeconds(), NEAR);
    assertEquals(1, fleet.copies(), NEAR);
    for (int span = 0; span < single.spanOffload().length; span++) {
      assertEquals(single.spanOffload()[span], fleet.spanOffload()[span], NEAR);
    }
  }

  @Test
  public void lostDataNode_itsReadsGoOnElsewhere() throws Exception {
    for (int preferred : new int[] {SHUFFLED, 2}) {
      FleetResult all = run(generated, 5, null, preferred, LARGE);
      FleetResult lost = run(generated, 5, "dn3", preferred, LARGE);
      assertEquals(all.total().reads(), lost.total().reads());
      assertTrue(dataNode(lost, "dn3").reads() < dataNode(all, "dn3").reads());
      assertTrue(dataNode(lost, "dn1").reads() > dataNode(all, "dn1").reads());
      assertEquals(dataNode(all, "dn1").hours(), dataNode(lost, "dn3").hours(), NEAR);
    }
  }

  @Test
  public void run_again_isTheSame() throws Exception {
    assertEquals(run(generated, 5, "dn1", SHUFFLED, LARGE).dataNodes(),
        run(generated, 5, "dn1", SHUFFLED, LARGE).dataNodes());
  }

  @Test
  public void namedDataNodes_onlyThoseThatHoldTheBlockServeIt() throws Exception {
    Traces traces = new Traces().heldBy(1, "a", "b").heldBy(2, "c");
    for (int i = 0; i < 40; i++) {
      traces.readFrom("r" + i % 10, i * 1000, 1 + i % 2);
    }
    Trace trace = traces.build();
    for (int preferred : new int[] {SHUFFLED, 1, 2}) {
      FleetResult result = run(trace, 99, null, preferred, SMALL);
      assertEquals(20, dataNode(result, "c").reads());
      assertEquals(40, result.total().reads());
    }
    assertEquals(3 / 2.0, run(trace, 99, null, SHUFFLED, SMALL).copies(), NEAR);
    assertEquals(1, run(trace, 99, null, 1, SMALL).copies(), NEAR);
    assertEquals(3, FleetSimulation.dataNodes(trace, 99));
  }

  @Test
  public void readerOnAHostWithAReplica_readsThere() throws Exception {
    Traces traces = new Traces().heldBy(1, "a", "b", "c");
    for (int i = 0; i < 30; i++) {
      traces.readFrom("b", i * 1000, 1);
    }
    assertEquals(30, dataNode(run(traces.build(), 3, null, 1, SMALL), "b").reads());
  }

  @Test
  public void moreThanThreeReplicas_areShuffledWithAffinityToo() throws Exception {
    Traces traces = new Traces().heldBy(1, "a", "b", "c", "d");
    for (int i = 0; i < 100; i++) {
      traces.readFrom("r" + i, i * 1000, 1);
    }
    assertEquals(4, run(traces.build(), 4, null, 1, SMALL).dataNodes().size());
  }

  @Test
  public void placement_lostDataNode_changesItsBlocksAlone() throws Exception {
    Placement placement = new Placement(generated, 10);
    int blocks = generated.replicas().size();
    int[][] before = new int[blocks][];
    for (int block = 0; block < blocks; block++) {
      before[block] = placement.holders(block);
      assertEquals(3, set(before[block]).size());
    }
    placement.lose(4);
    for (int block = 0; block < blocks; block++) {
      Set<Integer> after = set(placement.holders(block));
      assertEquals(3, after.size());
      Set<Integer> kept = set(before[block]);
      kept.remove(4);
      assertTrue(after.containsAll(kept));
      assertTrue(!after.contains(4));
    }
  }

  private static Set<Integer> set(int[] numbers) {
    Set<Integer> set = new HashSet<>();
    for (int number : numbers) {
      set.add(number);
    }
    return set;
  }

  @Test
  public void wrongTraceOrDataNode_isTold() throws Exception {
    Cluster cluster = new Cluster(3, "dn4", Disk.DEFAULT);
    assertThrows(IllegalArgumentException.class,
        () -> new FleetSimulation(generated, cluster, SHUFFLED));
    Cluster one = new Cluster(1, "dn1", Disk.DEFAULT);
    assertThrows(IllegalArgumentException.class,
        () -> new FleetSimulation(generated, one, SHUFFLED));
    Trace noReaders = new Trace(generated.accesses(), generated.replicas(),
        generated.replicaBytes(), generated.readers(), false, generated.dataNodes());
    assertThrows(TraceException.class, () -> new FleetSimulation(
        noReaders, new Cluster(3, null, Disk.DEFAULT), SHUFFLED));
  }

  @Test
  public void standingOut_namesTheOneThatDiffers() {
    List<FleetResult> each = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      DataNode one = new DataNode("dn" + i, 24, 1000, 1L << 30, i == 7 ? 0.2 : 0.6 + i / 1000.0,
          1L << 20, 1, 2);
      each.add(new FleetResult("x", "", "-", "-", 1 << 20, 1 << 30, List.of(one), one, -1,
          new double[0]));
    }
    FleetResult fleet = FleetResult.join(each);
    assertEquals(1, fleet.standingOut().size());
    String sentence = fleet.standingOut().get(0);
    assertTrue(sentence, sentence.startsWith("dn7: offload 20.0 %, median 60."));
    assertEquals(10_000, fleet.total().reads());
    assertEquals(0.5, fleet.total().hddTimeSaved(), NEAR);
  }
}
