/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * An SSD that is slow, but keeps its deadline. A read waits for it for a second longer than for an
 * idle hard disk, and then goes on from the replica. How long a read takes is printed, and not
 * asserted: on a busy machine it takes longer. How much it gets from the SSD in that time is bounded
 * on any machine.
 */
public class TestSlowSsd {

  private static final int MB = 1 << 20;
  private static final int PAGES = 64;

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private Ssd ssd;
  private LocalCacheCluster cluster;
  private byte[] bytes;

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    ssd = Ssd.Kind.FUSE.open();
    cluster = LocalCacheCluster.builder().blockSize(PAGES * MB)
        .set(LocalCacheKeys.DIRECTORIES, ssd.directory())
        .set(LocalCacheKeys.PAGE_SIZE, "1m")
        .set(LocalCacheKeys.CAPACITY, 2L * PAGES * MB)
        .set(LocalCacheKeys.IO_DEADLINE, LocalCacheKeys.defaults().get(LocalCacheKeys.IO_DEADLINE))
        .set(TestingConfig.PROBE_INTERVAL, "100ms")
        .set(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0)
        .start();
    bytes = cluster.write("/file", PAGES * MB);
    cluster.readUntilCached("/file");
    assertEquals(PAGES, cluster.cached(0, "/file").wholePages());
    read("an SSD that is well");
    ssd.dropCaches();
  }

  @After
  public void stop() throws Exception {
    if (cluster != null) {
      ssd.faults().clear();
      cluster.close();
    }
    if (ssd != null) {
      ssd.close();
    }
  }

  /** @return bytes that came from the SSD. */
  private long read(String from) throws Exception {
    long before = cluster.metrics(0).total(Event.BYTES_HIT);
    long begin = System.nanoTime();
    byte[] read = cluster.read("/file");
    System.out.println("64 MB from " + from + ": "
        + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
    assertArrayEquals(bytes, read);
    cluster.awaitEndOfReads();
    return cluster.metrics(0).total(Event.BYTES_HIT) - before;
  }

  private void slow(int millis) throws Exception {
    ssd.faults().fault("read delay " + millis);
    long fromSsd = read("an SSD that takes " + millis + " ms a page");
    // Each page is charged with at least so much more than the 10 ms of an idle hard disk.
    long most = 1000 / (millis - 11) + 1;
    assertTrue(fromSsd / MB + " pages, at most " + most, fromSsd <= most * MB);
  }

  @Test
  public void read_53MillisecondsAPage_goesOnFromTheReplica() throws Exception {
    slow(53);
  }

  @Test
  public void read_123MillisecondsAPage_goesOnFromTheReplica() throws Exception {
    slow(123);
  }

  @Test
  public void read_860MillisecondsAPage_goesOnFromTheReplica() throws Exception {
    slow(860);
  }
}
