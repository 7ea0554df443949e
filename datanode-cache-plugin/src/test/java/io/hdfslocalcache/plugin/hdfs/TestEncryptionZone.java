/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.crypto.key.JavaKeyStoreProvider;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.junit.Test;

/** Files that clients encrypt: the local cache holds what the disk holds, and clients decrypt. */
public class TestEncryptionZone {

  private static final int LENGTH = 300_100;
  private static final String KEY = "key";

  @Test
  public void readsInAnEncryptionZone_hitWithRightBytes() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    builder.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        JavaKeyStoreProvider.SCHEME_NAME + "://file"
            + new Path(builder.directory().resolve("keys.jks").toString()).toUri());
    try (LocalCacheCluster cluster = builder.start()) {
      makeZone(cluster);
      byte[] bytes = cluster.write("/zone/file", LENGTH);
      assertArrayEquals(bytes, cluster.readUntilCached("/zone/file"));
      File file = cluster.blockFile(0, cluster.block("/zone/file"));
      assertFalse("encrypted on disk", Arrays.equals(bytes, Files.readAllBytes(file.toPath())));
      assertTrue(file.delete());
      assertArrayEquals(bytes, cluster.read("/zone/file"));
      assertArrayEquals(Arrays.copyOfRange(bytes, 100_001, 150_000),
          cluster.pread("/zone/file", 100_001, 49_999));
      assertEquals(2, cluster.reads(ReadOutcome.HIT));
      assertPagesAreEncrypted(cluster, bytes);
      assertEquals(0, cluster.metrics(0).errors());
    }
  }

  private static void makeZone(LocalCacheCluster cluster) throws Exception {
    DFSTestUtil.createKey(KEY, cluster.mini(), cluster.fs().getConf());
    cluster.fs().mkdirs(new Path("/zone"));
    new HdfsAdmin(cluster.fs().getUri(), cluster.fs().getConf()).createEncryptionZone(
        new Path("/zone"), KEY, EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
  }

  private static void assertPagesAreEncrypted(LocalCacheCluster cluster, byte[] bytes)
      throws Exception {
    ByteBuffer beginning = ByteBuffer.wrap(bytes, 0, 512);
    for (java.nio.file.Path page : cluster.pageFiles("")) {
      byte[] content = Files.readAllBytes(page);
      assertFalse(page.toString(), beginning.equals(ByteBuffer.wrap(content, 0, 512)));
    }
  }
}
