/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.Readers;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** The kernel finds the SSD's ext4 damaged and remounts it read-only; an operator repairs it. */
public class TestReadOnlyRemount {

  private FaultCluster cluster;

  @Rule
  public final Timeout timeout = Timeout.seconds(1200);

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    cluster = FaultCluster.patient(Ssd.Kind.EXT4.open());
  }

  @After
  public void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  public void remountedReadOnlyUnderLoad_clientsSeeNothing_filledAgainAfterRepair()
      throws Exception {
    LocalCacheCluster mini = cluster.cluster();
    try (Readers readers = new Readers(mini.fs(), cluster.files(), 8, 1)) {
      LocalCacheCluster.await("reads", () -> readers.reads() > 50);
      cluster.ssd().image().failReadOnly();
      fillUntilDegraded();
      long reads = readers.reads();
      LocalCacheCluster.await("reads", () -> readers.reads() > reads + 100);
      assertNull(readers.firstFailure());
    }
    assertEquals(0, cluster.corruptReplicas());
    mini.settle();
    String cached = cluster.fileOnSick().path().toString();
    long hits = mini.reads(ReadOutcome.HIT);
    mini.read(cached);
    assertEquals("pages are still read", 1, mini.reads(ReadOutcome.HIT) - hits);

    var stopped = mini.mini().stopDataNode(0);
    cluster.ssd().image().mountAgain();
    mini.start(stopped);
    assertEquals(SsdState.NORMAL, cluster.sick().io().health().state());
    mini.awaitHit(cached, cluster.fileOnSick().bytes());
  }

  private void fillUntilDegraded() throws Exception {
    for (int i = 0; i < 100 && cluster.sick().io().health().mayFill(); i++) {
      String name = "/more/" + i;
      cluster.cluster().write(name, 100_000);
      // The readers go on, so this must not wait for the end of all reads.
      DFSTestUtil.readFileAsBytes(cluster.cluster().fs(), new Path(name));
    }
    assertEquals(SsdState.DEGRADED, cluster.sick().io().health().state());
    assertTrue(cluster.sick().io().health().reason().contains("Read-only file system"));
  }
}
