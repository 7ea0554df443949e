/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.DataInputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.Test;

/** Readers of a block use the same few of its replicas, among those that are equally far. */
public class TestReplicaAffinityTopology {

  private static final int READERS = 100;

  private final long seed = Long.getLong("affinity.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Replicas cluster = new Replicas(random, 9, 2);

  public TestReplicaAffinityTopology() {
    System.out.println("seed " + seed);
  }

  private static DatanodeInfoWithStorage[] sort(ReplicaAffinityTopology topology, Node reader,
      DatanodeInfoWithStorage[] block, int activeLen,
      Consumer<List<DatanodeInfoWithStorage>> secondarySort) {
    DatanodeInfoWithStorage[] sorted = block.clone();
    topology.sortByDistanceUsingNetworkLocation(reader, sorted, activeLen, secondarySort);
    return sorted;
  }

  private static DatanodeInfoWithStorage[] sort(ReplicaAffinityTopology topology, Node reader,
      DatanodeInfoWithStorage[] block) {
    return sort(topology, reader, block, block.length, null);
  }

  /** The replicas that remote readers ask first. */
  private static Set<DatanodeInfo> used(ReplicaAffinityTopology topology,
      DatanodeInfoWithStorage[] block) {
    return IntStream.range(0, READERS)
        .mapToObj(reader -> sort(topology, Replicas.remoteReader(reader), block)[0])
        .collect(Collectors.toSet());
  }

  @Test
  public void remoteReaders_useAsManyReplicasAsTheKeySays() {
    for (int n = 1; n <= 3; n++) {
      ReplicaAffinityTopology topology = Replicas.topology(String.valueOf(n));
      for (int i = 0; i < 200; i++) {
        assertEquals("seed " + seed, n, used(topology, cluster.block(3)).size());
      }
    }
  }

  @Test
  public void preferredReplicas_haveEquallyManyReaders() {
    ReplicaAffinityTopology topology = Replicas.topology("2");
    DatanodeInfoWithStorage[] block = cluster.block(3);
    DatanodeInfo one = used(topology, block).iterator().next();
    long readers = IntStream.range(0, 10_000)
        .filter(i -> sort(topology, Replicas.remoteReader(i), block)[0].equals(one)).count();
    assertEquals("seed " + seed, 5000, readers, 300);
  }

  @Test
  public void order_isTheSameOnEveryNameNode_whateverTheOrderBefore() {
    DatanodeInfoWithStorage[] block = cluster.block(3);
    DatanodeInfoWithStorage[] other = block.clone();
    Collections.reverse(Arrays.asList(other));
    for (int i = 0; i < READERS; i++) {
      Node reader = Replicas.remoteReader(i);
      assertArrayEquals(sort(Replicas.topology("2"), reader, block),
          sort(Replicas.topology("2"), reader, other));
    }
  }

  /** If it changed from one version to the next, all local caches would be filled again. */
  @Test
  public void order_isTheSameInEveryVersion() {
    DatanodeInfoWithStorage[] block = IntStream.range(0, 3)
        .mapToObj(i -> Replicas.dataNode("0000000" + i, "10.0.0." + i, "/rack"))
        .map(dataNode -> Replicas.replica(dataNode, 0)).toArray(DatanodeInfoWithStorage[]::new);
    String orders = IntStream.range(0, 4)
        .mapToObj(i -> sort(Replicas.topology("2"), Replicas.remoteReader(i), block))
        .map(sorted -> Stream.of(sorted).map(DatanodeInfo::getDatanodeUuid)
            .map(uuid -> uuid.substring(7)).collect(Collectors.joining()))
        .collect(Collectors.joining(" "));
    assertEquals("021 021 021 201", orders);
  }

  @Test
  public void nearerReplica_comesFirst() {
    ReplicaAffinityTopology topology = Replicas.topology("1");
    for (int i = 0; i < 100; i++) {
      DatanodeInfoWithStorage[] block = cluster.block(3);
      DatanodeInfo near = block[random.nextInt(3)];
      Node sameHost = new NodeBase(near.getName(), near.getNetworkLocation());
      assertEquals("seed " + seed, near, sort(topology, sameHost, block)[0]);
      Node sameRack = new NodeBase("10.9.9.9", near.getNetworkLocation());
      assertEquals("seed " + seed, near.getNetworkLocation(),
          sort(topology, sameRack, block)[0].getNetworkLocation());
    }
  }

  @Test
  public void twoReplicasInTheRackOfTheReader_preferredOneOfThemComesFirst() {
    ReplicaAffinityTopology topology = Replicas.topology("1");
    for (int i = 0; i < 100; i++) {
      DatanodeInfoWithStorage[] block = cluster.block(3);
      DatanodeInfo preferred = used(topology, block).iterator().next();
      Node reader = new NodeBase("10.9.9." + i, preferred.getNetworkLocation());
      assertEquals("seed " + seed, preferred, sort(topology, reader, block)[0]);
    }
  }

  @Test
  public void moreThanThreeReplicas_areAllUsed() {
    assertEquals(4, used(Replicas.topology("2"), cluster.block(4)).size());
  }

  @Test
  public void fewerReplicasThanTheKeySays_areAllUsed() {
    assertEquals(1, used(Replicas.topology("2"), cluster.block(1)).size());
    assertEquals(2, used(Replicas.topology("3"), cluster.block(2)).size());
  }

  @Test
  public void unknownReader_isServed() {
    DatanodeInfoWithStorage[] block = cluster.block(3);
    assertEquals(Set.of(block), Set.of(sort(Replicas.topology("2"), null, block)));
  }

  @Test
  public void errorWhileOrdering_leavesThemShuffled() {
    ReplicaAffinityTopology topology = Replicas.topology("1");
    Set<Node> first = new HashSet<>();
    for (int i = 0; i < READERS; i++) {
      // Nodes without a storage: no NameNode has such replicas.
      Node[] nodes = cluster.dataNodes().subList(0, 3).toArray(new Node[0]);
      topology.sortByDistanceUsingNetworkLocation(Replicas.remoteReader(0), nodes, 3);
      assertEquals(Set.copyOf(cluster.dataNodes().subList(0, 3)), Set.of(nodes));
      first.add(nodes[0]);
    }
    assertEquals(3, first.size());
  }

  @Test
  public void absentKey_meansTwo() {
    ReplicaAffinityTopology topology = new ReplicaAffinityTopology();
    topology.setConf(new Configuration(false));
    assertEquals(2, used(topology, cluster.block(3)).size());
  }

  @Test
  public void valueThatIsNotAllowed_isRefusedInOneLine() {
    for (String value : List.of("0", "4", "-1", "two", "2.0", "")) {
      Exception refusal =
          assertThrows(IllegalArgumentException.class, () -> Replicas.topology(value));
      assertEquals("dfs.namenode.replica.affinity.replicas = " + value
          + ": must be a whole number from 1 to 3", refusal.getMessage());
    }
  }

  /** NameNodes of Hadoop 3.3 and 3.4 may run on Java 8. */
  @Test
  public void classes_areForJava8() throws Exception {
    for (Class<?> type : List.of(ReplicaAffinityTopology.class, ReplicaOrder.class)) {
      try (DataInputStream in = new DataInputStream(
          type.getResourceAsStream(type.getSimpleName() + ".class"))) {
        assertEquals(0xCAFEBABE, in.readInt());
        assertEquals("minor", 0, in.readUnsignedShort());
        assertTrue("major", in.readUnsignedShort() <= 52);
      }
    }
  }
}
