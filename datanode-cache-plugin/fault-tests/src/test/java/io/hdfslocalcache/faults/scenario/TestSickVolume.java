/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;

import io.hdfslocalcache.faults.FaultFs;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** The SSD is well, and a data volume fails in the middle of a read that fills from it. */
public class TestSickVolume {

  /** More than a socket's buffers hold, so that the DataNode waits in the middle. */
  private static final int LENGTH = (16 << 20) - 100;
  private static final String REPLICAS = " in /blk_";

  @Rule
  public final Timeout timeout = Timeout.seconds(600);

  private FaultFs volume;
  private LocalCacheCluster cluster;
  private byte[] bytes;
  private ExtendedBlock block;

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    volume = FaultFs.cached();
    cluster = LocalCacheCluster.builder().blockSize(32 << 20)
        .set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, volume.mountPoint().resolve("dfs"))
        .set(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10).start();
    bytes = cluster.write("/file", LENGTH);
    block = cluster.block("/file");
    FaultFs.dropCaches(volume.mountPoint());
  }

  @After
  public void stop() throws Exception {
    if (cluster != null) {
      volume.clear();
      cluster.close();
    }
    if (volume != null) {
      volume.close();
    }
  }

  private RawReader begin() throws Exception {
    return RawReader.begun(cluster.dataNode(0), block);
  }

  private void assertAllRightWhenItIsWell() throws Exception {
    volume.clear();
    FaultFs.dropCaches(volume.mountPoint());
    cluster.settle();
    assertArrayEquals(bytes, cluster.readUntilCached("/file"));
    assertArrayEquals("from the SSD", bytes, cluster.read("/file"));
    assertEquals(0, cluster.dataNode(0).getFSDataset().getNumFailedVolumes());
  }

  @Test
  public void readsFail_whatCameBeforeIsRightAndTheReadFailsAsWithoutALocalCache()
      throws Exception {
    try (RawReader reader = begin()) {
      volume.fault("read eio" + REPLICAS);
      assertThrows(IOException.class, reader::readToEnd);
      byte[] got = reader.bytes();
      assertTrue("before", got.length > 0 && got.length < LENGTH);
      assertArrayEquals(Arrays.copyOf(bytes, got.length), got);
    }
    cluster.settle();
    assertAllRightWhenItIsWell();
  }

  @Test
  public void readsHang_othersWhoWaitForThemGoOnWhenItIsWell() throws Exception {
    try (RawReader first = begin(); RawReader second = begin()) {
      volume.fault("read hang" + REPLICAS);
      List<FutureTask<RawReader>> reads = List.of(
          new FutureTask<>(first::readToEnd), new FutureTask<>(second::readToEnd));
      reads.forEach(read -> new Thread(read).start());
      LocalCacheCluster.await("a read that hangs", () -> volume.held() > 0);
      volume.clear();
      for (FutureTask<RawReader> read : reads) {
        assertArrayEquals(bytes, read.get().bytes());
      }
    }
    assertAllRightWhenItIsWell();
  }
}
