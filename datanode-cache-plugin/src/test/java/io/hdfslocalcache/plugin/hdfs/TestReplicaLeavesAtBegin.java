/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.apache.hadoop.hdfs.server.datanode.InterceptedRead;
import org.apache.hadoop.hdfs.server.datanode.ReadingClient;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.junit.Test;

/** A replica is deleted after the local cache began a read, and before the DataNode goes on. */
public class TestReplicaLeavesAtBegin extends ClusterFixture {

  private static final AtomicReference<Runnable> AFTER_BEGIN = new AtomicReference<>(() -> { });

  /** Something happens after a read began. */
  public static final class Delayed extends LocalCacheInterceptor {
    public Delayed() {
      super(PageLayout.ALIGNMENT);
    }

    @Override
    public InterceptedRead beginRead(ReadingClient client, ExtendedBlock block, Replica replica,
        long offset, long length) {
      InterceptedRead read = super.beginRead(client, block, replica, offset, length);
      AFTER_BEGIN.get().run();
      return read;
    }
  }

  @Test
  public void hitOrMiss_readEndsAndItsFilesAreClosed() throws Exception {
    cluster = LocalCacheCluster.builder()
        .set(BlockReaderInterceptor.CLASS_KEY, Delayed.class.getName()).start();
    for (String path : new String[] {"/hit", "/miss"}) {
      cluster.write(path, LocalCacheCluster.PAGE);
      ExtendedBlock block = cluster.block(path);
      if (path.equals("/hit")) {
        cluster.readUntilCached(path);
      }
      AFTER_BEGIN.set(() -> {
        AFTER_BEGIN.set(() -> { });
        try {
          cluster.dataNode(0).getFSDataset().invalidate(
              block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
        } catch (IOException e) {
          throw new AssertionError(e);
        }
        LocalCacheCluster.await("the replica leaves the map",
            () -> !cluster.dataNode(0).getFSDataset().contains(block));
      });
      assertThrows(path, IOException.class, () -> {
        try (RawReader reader = new RawReader(
            cluster.dataNode(0), block, "test", 0, LocalCacheCluster.PAGE)) {
          reader.readToEnd();
        }
      });
      LocalCacheCluster.await("the end of the read", () -> cluster.cache(0).readsInProgress() == 0);
      LocalCacheCluster.await("no entry that is still read", () ->
          cluster.cache(0).index().ofPool(block.getBlockPoolId()).isEmpty());
      cluster.awaitNoPages(0, block);
    }
    assertEquals(0, cluster.metrics(0).errors());
  }
}
