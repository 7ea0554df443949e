/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.Readers;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * ext4 cannot read which of its blocks are free. Pages that went through the OS page cache were lost
 * in that way after they had been written, and zeros stood in their place. Written past it, a page
 * that finds no block fails at once, and is not there.
 */
public class TestAllocationFailure {

  private FaultCluster cluster;

  @Rule
  public final Timeout timeout = Timeout.seconds(600);

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    Ssd ssd = Ssd.Kind.EXT4.open();
    ssd.replaceByOneWithBitmaps();
    cluster = FaultCluster.start(ssd);
  }

  @After
  public void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  public void pagesThatFindNoBlock_failWhenTheyAreWritten() throws Exception {
    LocalCacheCluster mini = cluster.cluster();
    long damaged = mini.metrics(0).total(Event.DAMAGED_PAGES);
    try (Readers readers = new Readers(mini.fs(), cluster.files(), 4, 1)) {
      cluster.ssd().faults().fault("read eio only bitmaps");
      for (int i = 0; i < 100 && writeErrors() == 0; i++) {
        byte[] bytes = mini.write("/more/" + i, 100_000);
        for (int read = 0; read < 3; read++) {
          assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(mini.fs(), new Path("/more/" + i)));
        }
      }
      assertTrue("a page found no block", writeErrors() > 0);
      long reads = readers.reads();
      LocalCacheCluster.await("reads", () -> readers.reads() > reads + 100);
      assertNull(readers.firstFailure());
    }
    cluster.ssd().faults().clear();
    for (int round = 0; round < 3; round++) {
      for (Readers.Expected file : cluster.files()) {
        assertArrayEquals(file.bytes(), mini.read(file.path().toString()));
      }
    }
    assertEquals("pages with other bytes", damaged,
        mini.metrics(0).total(Event.DAMAGED_PAGES));
    assertEquals("replicas reported", 0, cluster.corruptReplicas());
  }

  private long writeErrors() {
    return cluster.cluster().metrics(0).errors(Operation.PAGE_WRITE, ErrorCause.IO)
        + cluster.cluster().metrics(0).errors(Operation.PAGE_WRITE, ErrorCause.NO_SPACE);
  }
}
