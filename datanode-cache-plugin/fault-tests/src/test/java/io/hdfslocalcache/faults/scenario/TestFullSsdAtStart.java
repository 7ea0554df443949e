/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.util.List;

import io.hdfslocalcache.faults.Fault;
import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.Readers;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Other programs fill the SSD while the DataNode is down. */
public class TestFullSsdAtStart {

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
  public void noByteIsFreeAtTheStart_isUsedAgain() throws Exception {
    LocalCacheCluster mini = cluster.cluster();
    Fault full = Fault.all().stream()
        .filter(fault -> fault.toString().contains("filled up by somebody else")).findFirst()
        .orElseThrow();
    DataNodeProperties stopped = mini.mini().stopDataNode(0);
    full.begin(cluster);
    try {
      mini.start(stopped);
      assertEquals(List.of(SsdState.NORMAL, SsdState.NORMAL),
          mini.cache(0).directories().all().stream().map(ssd -> ssd.io().health().state()).toList());
      for (Readers.Expected one : cluster.files()) {
        assertArrayEquals(one.bytes(), mini.read(one.path().toString()));
      }
      assertEquals(0, cluster.corruptReplicas());
    } finally {
      full.end(cluster);
    }
  }
}
