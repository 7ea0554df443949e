/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Before;
import org.junit.Test;

/** The last chunk of a replica is not full, and an append overwrites its checksum. */
public class TestMovedReplica extends ClusterFixture {

  private static final int CHUNK = 512;
  private static final int LENGTH = 2 * CHUNK + 100;
  private static final Path FILE = new Path("/file");

  private byte[] bytes;
  private ExtendedBlock block;
  private CachedBlock cached;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().start();
    bytes = cluster.write(FILE.toString(), LENGTH);
    cluster.readUntilCached(FILE.toString());
    block = cluster.block(FILE.toString());
    cached = cluster.cached(0, block);
  }

  @SuppressWarnings("deprecation")
  private Replica replica() {
    return cluster.dataNode(0).getFSDataset().getReplica(
        block.getBlockPoolId(), block.getBlockId());
  }

  private void assertAsItWas(ReplicaFiles.Opener opener) throws IOException {
    ReplicaSnapshot snapshot = cached.snapshot();
    try (ReplicaFiles files = opener.open(snapshot)) {
      DataChecksum checksum = files.checksum();
      byte[] expected = new byte[3 * checksum.getChecksumSize()];
      checksum.calculateChunkedSums(bytes, 0, LENGTH, expected, 0);
      byte[] data = new byte[LENGTH];
      files.readData(0, ByteBuffer.wrap(data));
      byte[] sums = new byte[expected.length];
      files.readChecksums(0, ByteBuffer.wrap(sums));
      assertArrayEquals(bytes, data);
      assertArrayEquals(expected, sums);
    }
  }

  @Test
  public void open_appendedAndRecoveredAndAppended_isAsItWas() throws Exception {
    cached.addReader();
    try (FSDataOutputStream out = cluster.fs().append(FILE)) {
      out.write(LocalCacheCluster.bytes(2, 5000));
      out.hflush();
      assertAsItWas(cached.movedReplica());
      // A recovery of the append knows only the longer replica.
      cached.replicaMoved(MovedReplica.of(replica(), replica()));
      assertAsItWas(cached.movedReplica());
    }
    assertAsItWas(cached.movedReplica());
    cluster.append(FILE.toString(), 5000);
    assertAsItWas(cached.movedReplica());
    cached.removeReader();
  }

  /** Since its restart, the DataNode has not read the checksum: all reads were hits. */
  @Test
  public void open_appendedAfterARestart_isAsItWas() throws Exception {
    cluster.restartDataNode(0);
    cached = cluster.cached(0, block);
    assertArrayEquals(bytes, cluster.read(FILE.toString()));
    assertEquals(1, cluster.reads(ReadOutcome.HIT));
    cached.addReader();
    try (FSDataOutputStream out = cluster.fs().append(FILE)) {
      out.write(LocalCacheCluster.bytes(2, 5000));
      out.hflush();
      assertAsItWas(cached.movedReplica());
    }
    cluster.append(FILE.toString(), 5000);
    assertAsItWas(cached.movedReplica());
    cached.removeReader();
  }

  @Test
  public void open_truncatedAndAppended_isAsItWasBelowTheCut() throws Exception {
    cached.addReader();
    cluster.append(FILE.toString(), 5000);
    cluster.fs().truncate(FILE, LENGTH - 50);
    LocalCacheCluster.await("truncation", () -> cluster.fs().isFileClosed(FILE));
    cluster.append(FILE.toString(), 5000);
    assertAsItWasBelowTheCut(LENGTH - 50);
  }

  /** The checksums of such files fit, but to newer bytes. */
  @Test
  public void open_truncatedAndAppendedToTheSameLength_isAsItWasBelowTheCut() throws Exception {
    cached.addReader();
    cluster.fs().truncate(FILE, LENGTH - 50);
    LocalCacheCluster.await("truncation", () -> cluster.fs().isFileClosed(FILE));
    cluster.append(FILE.toString(), 50);
    assertAsItWasBelowTheCut(LENGTH - 50);
  }

  /** Before the map shows it. */
  @Test
  public void open_filesAreBeingTruncated_isAsItWasBelowTheCut() throws Exception {
    cached.addReader();
    cached.replicaMoved(MovedReplica.of(replica(), replica()));
    ((LocalReplica) replica()).truncateBlock(LENGTH - CHUNK);
    assertAsItWasBelowTheCut(LENGTH - CHUNK);
  }

  /** As a stock read that has the files open. The last chunk has another checksum by then. */
  private void assertAsItWasBelowTheCut(int cut) throws IOException {
    assertEquals(block.getBlockId(), cluster.block(FILE.toString()).getBlockId());
    int below = cut / CHUNK * CHUNK;
    try (ReplicaFiles files = cached.movedReplica().open(cached.snapshot())) {
      DataChecksum checksum = files.checksum();
      byte[] expected = new byte[below / CHUNK * checksum.getChecksumSize()];
      checksum.calculateChunkedSums(bytes, 0, below, expected, 0);
      byte[] data = new byte[below];
      files.readData(0, ByteBuffer.wrap(data));
      byte[] sums = new byte[expected.length];
      files.readChecksums(0, ByteBuffer.wrap(sums));
      assertArrayEquals(Arrays.copyOf(bytes, below), data);
      assertArrayEquals(expected, sums);
      assertThrows(EOFException.class, () -> files.readData(below, ByteBuffer.allocate(1)));
      assertThrows(EOFException.class, () -> files.readChecksums(
          expected.length, ByteBuffer.allocate(checksum.getChecksumSize())));
      assertThrows(EOFException.class, () -> files.transferTo(null, below, 1, null, null));
    }
    cached.removeReader();
  }

  /** A checksum that does not fit would make the client report a replica that is good. */
  @Test
  public void open_beginningOfTheAppendWasMissed_refuses() throws Exception {
    try (FSDataOutputStream out = cluster.fs().append(FILE)) {
      out.write(LocalCacheCluster.bytes(2, 5000));
      out.hflush();
      ReplicaFiles.Opener recovered = MovedReplica.of(replica(), replica());
      IOException lost =
          assertThrows(IOException.class, () -> recovered.open(cached.snapshot()));
      assertEquals("the checksum of the last chunk was overwritten: " + replica(),
          lost.getMessage());
    }
  }
}
