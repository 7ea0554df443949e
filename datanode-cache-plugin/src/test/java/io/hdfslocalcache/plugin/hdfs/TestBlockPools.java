/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.Test;

/** Two block pools of a federation use the same block ids on the same DataNode. */
public class TestBlockPools {

  @Test
  public void equalBlockIds_neverMix() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder()
        .topology(MiniDFSNNTopology.simpleFederatedTopology(2));
    try (LocalCacheCluster cluster = builder.start()) {
      byte[][] bytes = new byte[2][];
      ExtendedBlock[] blocks = new ExtendedBlock[2];
      for (int pool = 0; pool < 2; pool++) {
        bytes[pool] = LocalCacheCluster.bytes(pool, 100_000);
        FileSystem fs = cluster.mini().getFileSystem(pool);
        try (FSDataOutputStream out = fs.create(new Path("/file"))) {
          out.write(bytes[pool]);
        }
        blocks[pool] = DFSTestUtil.getAllBlocks(fs, new Path("/file")).get(0).getBlock();
      }
      assertEquals("the case to test", blocks[0].getLocalBlock(), blocks[1].getLocalBlock());
      assertEquals(blocks[0].getGenerationStamp(), blocks[1].getGenerationStamp());
      assertNotEquals(blocks[0].getBlockPoolId(), blocks[1].getBlockPoolId());

      for (int round = 0; round < 3; round++) {
        for (int pool = 0; pool < 2; pool++) {
          assertArrayEquals(bytes[pool], DFSTestUtil.readFileAsBytes(
              cluster.mini().getFileSystem(pool), new Path("/file")));
        }
        cluster.settle();
      }
      assertEquals(4, cluster.reads(ReadOutcome.HIT));

      cluster.mini().getFileSystem(0).delete(new Path("/file"), false);
      LocalCache cache = cluster.cache(0);
      cluster.awaitNoPages(0, blocks[0]);
      assertEquals("the other pool keeps its pages", 7, cluster.pageFiles(blocks[1]).size());
      assertEquals(7, cache.index().pages());
    }
  }
}
