/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.harness.HdfsDaemons;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.util.VersionInfo;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The NameNode's answers when affinity meets its other criteria. The DataNodes are registered, but
 * do not run.
 */
public class TestAffinityInNameNode {

  private static final int READERS = 60;
  private static final StorageType[] ALL_DISKS =
      {StorageType.DISK, StorageType.DISK, StorageType.DISK};

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new HdfsConfiguration();
  private final List<DatanodeDescriptor> holders = new ArrayList<>();
  private MiniDFSCluster cluster;
  private DatanodeManager dataNodes;

  @Before
  public void configure() {
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.getRoot().getPath());
    conf.set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReplicaAffinityTopology.class.getName());
  }

  @After
  public void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  /** Starts a NameNode with three DataNodes that have the block: two in a rack, one in another. */
  private void start() throws Exception {
    cluster = HdfsDaemons.inThisProcess(conf, builder -> builder.numDataNodes(0));
    dataNodes = cluster.getNamesystem().getBlockManager().getDatanodeManager();
    holders.add(register("10.1.0.1", "/rack1"));
    holders.add(register("10.1.0.2", "/rack1"));
    holders.add(register("10.2.0.1", "/rack2"));
  }

  private DatanodeDescriptor register(String host, String rack) throws Exception {
    StaticMapping.addNodeToRack(host, rack);
    String uuid = UUID.randomUUID().toString();
    cluster.getNameNodeRpc().registerDatanode(new DatanodeRegistration(
        new DatanodeID(host, host, uuid, 9866, 9864, 9865, 9867),
        DFSTestUtil.getLocalDatanodeRegistration().getStorageInfo(), new ExportedBlockKeys(),
        VersionInfo.getVersion()));
    return dataNodes.getDatanode(uuid);
  }

  private List<DatanodeInfo> sort(String reader, StorageType... types) {
    LocatedBlock block = new LocatedBlock(new ExtendedBlock("BP-1", 1),
        holders.toArray(new DatanodeInfo[0]), new String[] {"DS-1", "DS-2", "DS-3"},
        // The block keeps the array, and sorts it, too.
        types.clone());
    dataNodes.sortLocatedBlocks(reader, List.of(block));
    return Arrays.asList(block.getLocations());
  }

  private List<DatanodeInfo> sort(String reader) {
    return sort(reader, ALL_DISKS);
  }

  /** @return the DataNodes that remote readers, in another rack, ask first. */
  private Set<DatanodeInfo> used(StorageType... types) {
    Set<DatanodeInfo> used = new HashSet<>();
    for (int i = 0; i < READERS; i++) {
      used.add(sort("10.9.0." + i, types).get(0));
    }
    return used;
  }

  private DatanodeDescriptor descriptor(DatanodeInfo dataNode) {
    return dataNodes.getDatanode(dataNode.getDatanodeUuid());
  }

  @Test
  public void dataNodeOfAnotherRack_usesTheSameTwoReplicas() throws Exception {
    start();
    Set<DatanodeInfo> used = new HashSet<>();
    for (int i = 0; i < READERS; i++) {
      register("10.3.0." + i, "/rack3");
      used.add(sort("10.3.0." + i).get(0));
    }
    assertEquals(used(ALL_DISKS), used);
  }

  private void assertComesLast(DatanodeInfo avoided, Set<DatanodeInfo> usedBefore) {
    for (int i = 0; i < READERS; i++) {
      assertEquals(avoided, sort("10.9.0." + i).get(2));
    }
    Set<DatanodeInfo> others = new HashSet<>(holders);
    others.remove(avoided);
    assertEquals("two replicas are used, as before", others, used(ALL_DISKS));
    assertTrue(usedBefore.contains(avoided));
  }

  @Test
  public void staleDataNode_comesLast() throws Exception {
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_READ_KEY, true);
    // No DataNode here has a heartbeat; after ten minutes it would be dead.
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
        TimeUnit.MINUTES.toMillis(5));
    start();
    Set<DatanodeInfo> used = used(ALL_DISKS);
    DatanodeDescriptor stale = descriptor(used.iterator().next());
    DFSTestUtil.resetLastUpdatesWithOffset(stale, -TimeUnit.MINUTES.toMillis(8));
    assertComesLast(stale, used);
    DFSTestUtil.resetLastUpdatesWithOffset(stale, 0);
    assertEquals("when it is back", used, used(ALL_DISKS));
  }

  @Test
  public void slowDataNode_comesLast() throws Exception {
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_AVOID_SLOW_DATANODE_FOR_READ_KEY, true);
    start();
    Set<DatanodeInfo> used = used(ALL_DISKS);
    DatanodeInfo slow = used.iterator().next();
    dataNodes.addSlowPeers(slow.getDatanodeUuid());
    assertComesLast(slow, used);
  }

  @Test
  public void dataNodeThatLeaves_comesLast_butInHadoop33WhileItIsDecommissioned()
      throws Exception {
    start();
    Set<DatanodeInfo> used = used(ALL_DISKS);
    DatanodeDescriptor leaving = descriptor(used.iterator().next());
    leaving.startMaintenance();
    assertComesLast(leaving, used);
    leaving.stopMaintenance();
    assertEquals("when it is back", used, used(ALL_DISKS));
    leaving.startDecommission();
    if (VersionInfo.getVersion().startsWith("3.3.")) {
      assertEquals("as every other", used, used(ALL_DISKS));
    } else {
      assertComesLast(leaving, used);
    }
    leaving.setDecommissioned();
    assertComesLast(leaving, used);
  }

  @Test
  public void consideredLoad_wins_andAffinityDecidesAmongEquallyBusyOnes() throws Exception {
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_READ_CONSIDERLOAD_KEY, true);
    start();
    Set<DatanodeInfo> used = used(ALL_DISKS);
    assertEquals("all equally busy", 2, used.size());
    used.forEach(dataNode -> descriptor(dataNode).setXceiverCount(2));
    Set<DatanodeInfo> idle = new HashSet<>(holders);
    idle.removeAll(used);
    assertEquals("the others are busier", idle, used(ALL_DISKS));
  }

  @Test
  public void consideredStorageType_wins_andAffinityDecidesAmongEquals() throws Exception {
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_READ_CONSIDERSTORAGETYPE_KEY, true);
    start();
    assertEquals("all on disks", 2, used(ALL_DISKS).size());
    for (int i = 0; i < 3; i++) {
      StorageType[] types = ALL_DISKS.clone();
      types[i] = StorageType.SSD;
      assertEquals(Set.of(holders.get(i)), used(types));
    }
  }

  @Test
  public void wrongValue_stopsTheStartWithOneLine() {
    conf.set(ReplicaAffinityTopology.REPLICAS_KEY, "5");
    Exception refusal = assertThrows(IllegalArgumentException.class, this::start);
    assertEquals(ReplicaAffinityTopology.REPLICAS_KEY
        + " = 5: must be a whole number from 1 to 3", refusal.getMessage());
  }
}
