/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/** Simulated DataNodes, replicas on their disks, and readers. */
final class Replicas {

  private final Random random;
  private final List<DatanodeInfo> dataNodes = new ArrayList<>();
  private final int disks;

  /** DataNodes in three racks, with names that follow from the random numbers. */
  Replicas(Random random, int dataNodes, int disks) {
    this.random = random;
    this.disks = disks;
    for (int i = 0; i < dataNodes; i++) {
      String uuid = new UUID(random.nextLong(), random.nextLong()).toString();
      this.dataNodes.add(dataNode(uuid, "10.0.0." + i, "/rack" + i % 3));
    }
  }

  /** @return a DataNode on a host of its own. */
  static DatanodeInfo dataNode(String uuid, String host, String rack) {
    return new DatanodeInfoBuilder().setNetworkLocation(rack)
        .setNodeID(new DatanodeID(host, host, uuid, 9866, 9864, 9865, 9867)).build();
  }

  /** @return the replica on a disk of a DataNode. */
  static DatanodeInfoWithStorage replica(DatanodeInfo dataNode, int disk) {
    return new DatanodeInfoWithStorage(
        dataNode, "DS-" + disk + "-" + dataNode.getDatanodeUuid(), StorageType.DISK);
  }

  /** @return the DataNodes. */
  List<DatanodeInfo> dataNodes() {
    return dataNodes;
  }

  /** @return the replicas of a new block on so many DataNodes, chosen at random. */
  DatanodeInfoWithStorage[] block(int replicas) {
    List<DatanodeInfo> chosen = new ArrayList<>(dataNodes);
    Collections.shuffle(chosen, random);
    return chosen.subList(0, replicas).stream()
        .map(dataNode -> replica(dataNode, random.nextInt(disks)))
        .toArray(DatanodeInfoWithStorage[]::new);
  }

  /** @return a reader that is no DataNode, in a rack without DataNodes. */
  static Node remoteReader(int number) {
    return new NodeBase("/elsewhere/10.9." + number / 250 + "." + number % 250);
  }

  /** @return the topology of a NameNode that has just been started. */
  static ReplicaAffinityTopology topology(String replicas) {
    Configuration conf = new Configuration(false);
    conf.set(ReplicaAffinityTopology.REPLICAS_KEY, replicas);
    ReplicaAffinityTopology topology = new ReplicaAffinityTopology();
    topology.setConf(conf);
    return topology;
  }
}
