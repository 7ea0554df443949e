/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** The ways in which HDFS clients read, each with the same bytes from the SSD as from the disk. */
public class TestReadPaths {

  private static final int BLOCK = 1 << 20;
  private static final int LENGTH = 700_123;

  private static LocalCacheCluster cluster;

  @BeforeClass
  public static void start() throws Exception {
    cluster = LocalCacheCluster.builder().blockSize(BLOCK).start();
  }

  @AfterClass
  public static void stop() {
    assertEquals(0, cluster.metrics(0).errors());
    cluster.close();
  }

  private static FileSystem client(String... keysAndValues) throws Exception {
    Configuration conf = new Configuration(cluster.fs().getConf());
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return FileSystem.newInstance(cluster.fs().getUri(), conf);
  }

  private static byte[] write(FileSystem fs, String path, int length) throws Exception {
    byte[] bytes = LocalCacheCluster.bytes(path.hashCode(), length);
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(bytes);
    }
    return bytes;
  }

  private static byte[] readAll(InputStream in) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    in.transferTo(out);
    return out.toByteArray();
  }

  /** Reads a file until it is cached, and once more. @return the hits of the last read. */
  private static long hitsOfThirdRead(String path, byte[] bytes) throws Exception {
    assertArrayEquals(bytes, cluster.readUntilCached(path));
    assertArrayEquals(bytes, cluster.readUntilCached(path));
    long before = cluster.reads(ReadOutcome.HIT);
    assertArrayEquals(bytes, cluster.read(path));
    return cluster.reads(ReadOutcome.HIT) - before;
  }

  @Test
  public void checksumsOfOtherKinds_hit() throws Exception {
    for (String type : List.of("CRC32", "CRC32C")) {
      for (int chunk : List.of(512, 4096, 1024, 16384)) {
        String path = "/" + type + chunk;
        try (FileSystem fs = client("dfs.checksum.type", type,
            "dfs.bytes-per-checksum", String.valueOf(chunk))) {
          assertEquals(path, 1, hitsOfThirdRead(path, write(fs, path, LENGTH)));
        }
      }
    }
  }

  @Test
  public void chunksThatDoNotDivideAPage_hit() throws Exception {
    try (FileSystem fs = client("dfs.bytes-per-checksum", "1536", "dfs.blocksize", "1536000")) {
      byte[] bytes = write(fs, "/odd", LENGTH);
      assertEquals(1, hitsOfThirdRead("/odd", bytes));
      for (int offset = 0; offset + 3000 < LENGTH; offset += 14_999) {
        assertArrayEquals(Arrays.copyOfRange(bytes, offset, offset + 3000),
            cluster.pread("/odd", offset, 3000));
      }
    }
  }

  @Test
  public void noChecksumsOrTooLargeChunks_stockReads() throws Exception {
    try (FileSystem none = client("dfs.checksum.type", "NULL");
        FileSystem large = client("dfs.bytes-per-checksum", "65536")) {
      assertEquals(0, hitsOfThirdRead("/null", write(none, "/null", LENGTH)));
      assertEquals(0, hitsOfThirdRead("/large", write(large, "/large", LENGTH)));
      assertNull(cluster.cached(0, "/null"));
      assertNull(cluster.cached(0, "/large"));
    }
  }

  @Test
  public void clientThatVerifiesNothing_hit() throws Exception {
    byte[] bytes = cluster.write("/unverified", LENGTH);
    cluster.readUntilCached("/unverified");
    try (FileSystem fs = client()) {
      fs.setVerifyChecksum(false);
      long hits = cluster.reads(ReadOutcome.HIT);
      try (FSDataInputStream in = fs.open(new Path("/unverified"))) {
        assertArrayEquals(bytes, readAll(in));
      }
      try (FSDataInputStream in = fs.open(new Path("/unverified"))) {
        byte[] part = new byte[50_000];
        in.readFully(100_001, part);
        assertArrayEquals(Arrays.copyOfRange(bytes, 100_001, 150_001), part);
      }
      cluster.awaitEndOfReads();
      assertEquals(2, cluster.reads(ReadOutcome.HIT) - hits);
    }
  }

  @Test
  public void statefulReadsWithEarlyClose_cacheWhatWasSent() throws Exception {
    byte[] bytes = cluster.write("/early", BLOCK);
    for (int i = 0; i < 3; i++) {
      try (FSDataInputStream in = cluster.fs().open(new Path("/early"))) {
        in.seek(200_000);
        byte[] part = new byte[10_000];
        in.readFully(part);
        assertArrayEquals(Arrays.copyOfRange(bytes, 200_000, 210_000), part);
      }
      cluster.settle();
    }
    int pages = cluster.cached(0, "/early").pages();
    assertTrue("pages of reads that were given up early: " + pages, pages > 0);
  }

  @Test
  public void vectoredReads_hit() throws Exception {
    byte[] bytes = cluster.write("/vectored", BLOCK);
    cluster.awaitHit("/vectored", bytes);
    long hits = cluster.metrics(0).total(Event.BYTES_HIT);
    List<FileRange> ranges = List.of(FileRange.createFileRange(0, 4000),
        FileRange.createFileRange(300_000, 65_536), FileRange.createFileRange(1_000_000, 48_576));
    try (FSDataInputStream in = cluster.fs().open(new Path("/vectored"))) {
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        ByteBuffer data = range.getData().get(60, TimeUnit.SECONDS);
        assertEquals(ByteBuffer.wrap(bytes, (int) range.getOffset(), range.getLength()), data);
      }
    }
    cluster.awaitEndOfReads();
    assertTrue(cluster.metrics(0).total(Event.BYTES_HIT) - hits >= 118_112);
  }

  @Test
  public void hedgedReads_hit() throws Exception {
    byte[] bytes = cluster.write("/hedged", LENGTH);
    cluster.readUntilCached("/hedged");
    try (FileSystem fs = client(HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY, "4",
        HdfsClientConfigKeys.HedgedRead.THRESHOLD_MILLIS_KEY, "1")) {
      for (int i = 0; i < 10; i++) {
        try (FSDataInputStream in = fs.open(new Path("/hedged"))) {
          byte[] part = new byte[LENGTH];
          in.readFully(0, part);
          assertArrayEquals(bytes, part);
        }
      }
    }
    cluster.awaitEndOfReads();
  }

  @Test
  public void webHdfs_hit() throws Exception {
    byte[] bytes = cluster.write("/web", LENGTH);
    cluster.awaitHit("/web", bytes);
    long hits = cluster.metrics(0).total(Event.BYTES_HIT);
    URI uri = URI.create("webhdfs://" + cluster.mini().getNameNode().getHttpAddress().getHostName()
        + ":" + cluster.mini().getNameNode().getHttpAddress().getPort());
    try (FileSystem fs = FileSystem.newInstance(uri, cluster.fs().getConf());
        FSDataInputStream in = fs.open(new Path("/web"))) {
      assertArrayEquals(bytes, readAll(in));
    }
    cluster.awaitEndOfReads();
    assertEquals(LENGTH, cluster.metrics(0).total(Event.BYTES_HIT) - hits);
  }

  @Test
  public void dropBehindAndReadahead_hit() throws Exception {
    byte[] bytes = cluster.write("/hints", BLOCK);
    for (int i = 0; i < 3; i++) {
      try (FSDataInputStream in = cluster.fs().open(new Path("/hints"))) {
        in.setDropBehind(true);
        in.setReadahead(4L << 20);
        assertArrayEquals(bytes, readAll(in));
      }
      cluster.settle();
    }
    assertEquals(BLOCK / LocalCacheCluster.PAGE, cluster.cached(0, "/hints").pages());
  }

  @Test
  public void tinyAndEmptyFiles_hit() throws Exception {
    for (int length : new int[] {0, 1, 511, 512, 513}) {
      String path = "/tiny" + length;
      assertEquals(length == 0 ? 0 : 1, hitsOfThirdRead(path, cluster.write(path, length)));
    }
  }

  /** A hit touches no file of the replica. */
  @Test
  public void replicaFilesGone_hit() throws Exception {
    byte[] bytes = cluster.write("/gone", BLOCK - 100);
    cluster.awaitHit("/gone", bytes);
    ExtendedBlock block = cluster.block("/gone");
    forgetLastChecksum(block);
    assertTrue(cluster.blockFile(0, block).delete());
    assertTrue(cluster.metaFile(0, block).delete());
    long hits = cluster.reads(ReadOutcome.HIT);
    assertArrayEquals(bytes, cluster.read("/gone"));
    assertArrayEquals(Arrays.copyOfRange(bytes, BLOCK - 200, BLOCK - 100),
        cluster.pread("/gone", BLOCK - 200, 100));
    assertEquals(2, cluster.reads(ReadOutcome.HIT) - hits);
  }

  /** The DataNode remembers it from the write; after a restart it would read the meta file. */
  private static void forgetLastChecksum(ExtendedBlock block) {
    ((FinalizedReplica) cluster.dataNode(0).getFSDataset()
        .getReplica(block.getBlockPoolId(), block.getBlockId())).setLastPartialChunkChecksum(null);
  }

  @Test
  public void fromSsdAndMemory_packetsOfStockSize() throws Exception {
    byte[] bytes = cluster.write("/packets", BLOCK);
    ExtendedBlock block = cluster.block("/packets");
    List<Integer> stock = packets(block, bytes);
    cluster.settle();
    long memory = cluster.metrics(0).total(Event.BYTES_MEMORY);
    long hitBytes = cluster.metrics(0).total(Event.BYTES_HIT);
    assertEquals(stock, packets(block, bytes));
    cluster.awaitEndOfReads();
    assertEquals(BLOCK, cluster.metrics(0).total(Event.BYTES_HIT) - hitBytes);
    assertEquals("the first touch", memory, cluster.metrics(0).total(Event.BYTES_MEMORY));
    cluster.readUntilInMemory("/packets");
    memory = cluster.metrics(0).total(Event.BYTES_MEMORY);
    assertEquals(stock.get(0), packets(block, bytes).get(0));
    cluster.awaitEndOfReads();
    assertEquals(BLOCK, cluster.metrics(0).total(Event.BYTES_MEMORY) - memory);
  }

  private static List<Integer> packets(ExtendedBlock block, byte[] bytes) throws Exception {
    try (RawReader reader = new RawReader(cluster.dataNode(0), block, "test", 0, BLOCK)) {
      assertArrayEquals(bytes, reader.readToEnd().bytes());
      return reader.packets();
    }
  }

  @Test
  public void encryptedTransfer_hitInLargePacketsWithRightBytes() throws Exception {
    try (LocalCacheCluster secure = LocalCacheCluster.builder().blockSize(BLOCK)
        .set("dfs.encrypt.data.transfer", true)
        .set("dfs.block.access.token.enable", true).start()) {
      byte[] bytes = secure.write("/secret", LENGTH);
      secure.awaitHit("/secret", bytes);
      long hits = secure.reads(ReadOutcome.HIT);
      ExtendedBlock block = secure.block("/secret");
      assertTrue(secure.blockFile(0, block).delete());
      assertArrayEquals(bytes, secure.read("/secret"));
      assertArrayEquals(Arrays.copyOfRange(bytes, 123_456, 234_567),
          secure.pread("/secret", 123_456, 111_111));
      assertEquals(hits + 2, secure.reads(ReadOutcome.HIT));
      assertArrayEquals(bytes, secure.readUntilInMemory("/secret"));
      assertTrue(secure.metrics(0).total(Event.BYTES_MEMORY) >= LENGTH);
      assertEquals(0, secure.metrics(0).errors());
    }
  }
}
