/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.Test;

/** Local caches of DataNodes behind a NameNode with replica affinity, and behind a stock one. */
public class TestAffinityOnDataNodes {

  private static final int FILES = 20;
  private static final int READERS = 30;
  private static final int PAGES = AffinityCluster.BLOCK / LocalCacheCluster.PAGE;

  /** Every reader reads every file. */
  private static void readAll(AffinityCluster cluster, List<String> paths) throws Exception {
    for (int reader = 0; reader < READERS; reader++) {
      for (String path : paths) {
        cluster.readRemotely(reader, path);
      }
    }
  }

  /** Each copy of a block is filled once, by a read that misses; all other reads hit. */
  private static void assertCopies(int copies, LocalCacheCluster.Builder builder)
      throws Exception {
    try (AffinityCluster cluster = AffinityCluster.start(builder)) {
      List<String> paths = cluster.write(FILES);
      readAll(cluster, paths);
      for (String path : paths) {
        assertEquals(path, copies, cluster.copies(path).size());
      }
      assertEquals((long) copies * FILES * PAGES, cluster.total(Event.FILLS));
      assertEquals((long) copies * FILES, cluster.total(ReadOutcome.MISS_ADMITTED));
      assertEquals((long) (READERS - copies) * FILES, cluster.total(ReadOutcome.HIT));
    }
  }

  @Test
  public void stock_threeCopies() throws Exception {
    assertCopies(3, AffinityCluster.stock());
  }

  @Test
  public void affinity_twoCopies() throws Exception {
    assertCopies(2, AffinityCluster.affinity(2));
  }

  @Test
  public void preferredDataNodeStops_readersGoOnAndComeBack() throws Exception {
    try (AffinityCluster cluster = AffinityCluster.start(AffinityCluster.affinity(2))) {
      List<String> paths = cluster.write(1);
      readAll(cluster, paths);
      Set<String> preferred = uuids(cluster, paths.get(0));
      assertEquals(2, preferred.size());
      String stopped = preferred.iterator().next();
      DataNodeProperties properties = stop(cluster, stopped);

      // The NameNode still thinks it is alive: clients find out and ask the next one in their list.
      readAll(cluster, paths);
      preferred.remove(stopped);
      assertEquals("no other copy", preferred, uuids(cluster, paths.get(0)));

      cluster.local().mini().setDataNodeDead(properties.getDatanode().getDatanodeId());
      readAll(cluster, paths);
      assertEquals("both that are left", 2, cluster.copies(paths.get(0)).size());

      cluster.local().start(properties);
      DFSTestUtil.waitReplication(cluster.local().fs(),
          new org.apache.hadoop.fs.Path(paths.get(0)), (short) 3);
      cluster.local().settle();
      long misses = cluster.total(ReadOutcome.MISS_ADMITTED);
      readAll(cluster, paths);
      assertEquals("its pages are still there", misses, cluster.total(ReadOutcome.MISS_ADMITTED));
      assertTrue(uuids(cluster, paths.get(0)).contains(stopped));
    }
  }

  private static DataNodeProperties stop(AffinityCluster cluster, String uuid) {
    int index = cluster.local().mini().getDataNodes().stream()
        .map(dataNode -> dataNode.getDatanodeUuid()).toList().indexOf(uuid);
    return cluster.local().mini().stopDataNode(index);
  }

  private static Set<String> uuids(AffinityCluster cluster, String path) throws Exception {
    Set<String> uuids = new TreeSet<>();
    for (int i : cluster.copies(path)) {
      uuids.add(cluster.local().dataNode(i).getDatanodeUuid());
    }
    return uuids;
  }
}
