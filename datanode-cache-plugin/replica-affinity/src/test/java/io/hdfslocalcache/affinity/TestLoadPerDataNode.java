/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.Test;

/**
 * How evenly remote reads of many blocks, each read as often, are spread over the DataNodes. Prints
 * the table of docs/affinity.md.
 */
public class TestLoadPerDataNode {

  private static final int BLOCKS_PER_DATA_NODE = 100;
  private static final int READERS = 10;

  private final long seed = Long.getLong("affinity.seed", System.nanoTime());

  /** The least and the most reads of a DataNode, for a mean of 1. */
  private record Load(double least, double most) {
    @Override
    public String toString() {
      return String.format("%.2f to %.2f", least, most);
    }
  }

  private Load load(DFSNetworkTopology topology, int dataNodes, int disks) {
    Replicas cluster = new Replicas(new Random(seed), dataNodes, disks);
    Map<String, Integer> reads = new HashMap<>();
    cluster.dataNodes().forEach(dataNode -> reads.put(dataNode.getDatanodeUuid(), 0));
    int blocks = BLOCKS_PER_DATA_NODE * dataNodes;
    for (int i = 0; i < blocks; i++) {
      DatanodeInfoWithStorage[] block = cluster.block(3);
      for (int reader = 0; reader < READERS; reader++) {
        topology.sortByDistanceUsingNetworkLocation(
            Replicas.remoteReader(reader), block, block.length, null);
        reads.merge(block[0].getDatanodeUuid(), 1, Integer::sum);
      }
    }
    double mean = (double) blocks * READERS / dataNodes;
    return new Load(reads.values().stream().mapToInt(n -> n).min().orElseThrow() / mean,
        reads.values().stream().mapToInt(n -> n).max().orElseThrow() / mean);
  }

  @Test
  public void manyBlocks_loadIsNearlyEven() {
    System.out.println("seed " + seed);
    System.out.println("| DataNodes | disks of each | stock | two replicas | one replica |");
    for (int dataNodes : new int[] {3, 9, 20, 100}) {
      for (int disks : new int[] {1, 2, 12}) {
        Load two = load(Replicas.topology("2"), dataNodes, disks);
        System.out.printf("| %d | %d | %s | %s | %s |%n", dataNodes, disks,
            load(new DFSNetworkTopology(), dataNodes, disks), two,
            load(Replicas.topology("1"), dataNodes, disks));
        // Few sets of replicas cannot be even: three DataNodes with a disk each have one.
        assertTrue("seed " + seed + ": " + two,
            disks < 12 || two.least > 0.6 && two.most < 1.4);
      }
    }
  }
}
