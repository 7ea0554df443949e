/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.index.Ssd;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/** A replica in two real files as HDFS lays them out, and a count of what is read from them. */
public final class TestingReplica implements ReplicaAccess {

  /** A DataNode's default checksum. */
  public static final DataChecksum CRC32C =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  /** The SSD of a block, for tests that do not care. */
  public static final Ssd SSD = () -> Path.of("/ssd");

  /** The identity of a replica, for tests that do not care. */
  public static final ReplicaIdentity IDENTITY =
      new ReplicaIdentity(12, 1_700_000_000_000_000L, 345);

  /** Version and header of a {@link DataChecksum}. */
  private static final int META_HEADER = 7;

  private final ReplicaSnapshot snapshot;
  private final DataChecksum checksum;
  private final byte[] data;
  private final byte[] checksums;
  private final Path blockFile;
  private final Path metaFile;
  private final AtomicInteger opens = new AtomicInteger();
  private final AtomicInteger closes = new AtomicInteger();
  private final FileDescriptor descriptor = new FileDescriptor();
  private final AtomicLong dataRead = new AtomicLong();
  private final AtomicLong checksumsRead = new AtomicLong();

  private TestingReplica(Path folder, ReplicaSnapshot snapshot, DataChecksum checksum,
      byte[] data, byte[] checksums) {
    this.snapshot = snapshot;
    this.checksum = checksum;
    this.data = data;
    this.checksums = checksums;
    String name = snapshot.key().blockPoolId() + "-blk_" + snapshot.key().blockId();
    this.blockFile = folder.resolve(name);
    this.metaFile = folder.resolve(name + "_" + snapshot.generationStamp() + ".meta");
  }

  /** Writes a replica of random bytes. */
  public static TestingReplica create(Path folder, ReplicaSnapshot snapshot,
      DataChecksum checksum) throws IOException {
    byte[] data = new byte[(int) snapshot.length()];
    new Random(snapshot.hashCode()).nextBytes(data);
    int chunk = checksum.getBytesPerChecksum();
    byte[] sums = new byte[(data.length + chunk - 1) / chunk * checksum.getChecksumSize()];
    if (sums.length > 0) {
      checksum.calculateChunkedSums(data, 0, data.length, sums, 0);
    }
    TestingReplica replica = new TestingReplica(folder, snapshot, checksum, data, sums);
    Files.write(replica.blockFile, data);
    try (var out = new DataOutputStream(Files.newOutputStream(replica.metaFile))) {
      out.writeShort(1);
      out.write(checksum.getHeader());
      out.write(sums);
    }
    return replica;
  }

  /** Writes a replica with HDFS's usual checksums, in pool {@code BP-1}. */
  public static TestingReplica create(Path folder, long blockId, int length) throws IOException {
    return create(folder, new ReplicaSnapshot(new BlockKey("BP-1", blockId), 1001, length),
        CRC32C);
  }

  /** @return the replica's state. */
  public ReplicaSnapshot snapshot() {
    return snapshot;
  }

  /** @return what is in the block. */
  public byte[] data() {
    return data;
  }

  /** @return the checksums of its chunks. */
  public byte[] checksums() {
    return checksums;
  }

  /** @return the block file, for damaging it. */
  public Path blockFile() {
    return blockFile;
  }

  /** Deletes both files. */
  public void delete() throws IOException {
    Files.delete(blockFile);
    Files.delete(metaFile);
  }

  /** @return the layout of the block in pages of this size. */
  public PageLayout layout(int pageSize) {
    return new PageLayout(pageSize, checksum, snapshot.length());
  }

  /** @return the bytes of a page file, in a buffer for direct I/O. */
  public ByteBuffer page(PageLayout layout, int page) {
    return parts(PageSlice.whole(layout, page));
  }

  /** @return the bytes of some parts of a page's file, in a buffer for direct I/O. */
  public ByteBuffer parts(PageSlice slice) {
    PageLayout layout = slice.layout();
    int page = slice.page();
    ByteBuffer content = aligned(slice.bufferLength());
    content.put(0, data, (int) layout.start(page) + slice.from(), slice.to() - slice.from());
    for (int part = slice.firstPart(); part <= slice.lastPart(); part++) {
      slice.tail(content, part).put(checksums,
          (int) layout.checksumStart(page) + part * layout.partChecksums(),
          layout.partChecksumLength(page, part));
      slice.seal(content, part, snapshot, IDENTITY.fileId(snapshot));
    }
    return content;
  }

  /** @return a buffer for direct I/O. */
  public static ByteBuffer aligned(int length) {
    return ByteBuffer.allocateDirect(length + PageLayout.ALIGNMENT)
        .alignedSlice(PageLayout.ALIGNMENT).slice(0, length);
  }

  /** @return a stand-in for the descriptor of the open block file. */
  public FileDescriptor descriptor() {
    return descriptor;
  }

  /** Opens both files. */
  public ReplicaFiles open() throws IOException {
    ReplicaFiles files = new CountingFiles();
    opens.incrementAndGet();
    return files;
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot asked) {
    return asked.equals(snapshot) && Files.exists(blockFile);
  }

  @Override
  public String volumeOf(BlockKey key) {
    return "volume";
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot asked) {
    return IDENTITY;
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot asked) throws IOException {
    return open();
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot asked, boolean withChecksums)
      throws IOException {
    return open();
  }

  /** @return how often the replica was opened. */
  public int opens() {
    return opens.get();
  }

  /** @return how often it was closed. */
  public int closes() {
    return closes.get();
  }

  /** @return bytes read and sent from the block file. */
  public long dataRead() {
    return dataRead.get();
  }

  /** @return bytes read from the meta file. */
  public long checksumsRead() {
    return checksumsRead.get();
  }

  private final class CountingFiles implements ReplicaFiles {
    private final FileChannel block = FileChannel.open(blockFile, StandardOpenOption.READ);
    private final FileChannel meta = FileChannel.open(metaFile, StandardOpenOption.READ);
    private final UseCount users = new UseCount();

    private CountingFiles() throws IOException {
    }

    @Override
    public ReplicaIdentity identity() {
      return IDENTITY;
    }

    @Override
    public DataChecksum checksum() {
      return checksum;
    }

    @Override
    public void readData(long position, ByteBuffer buffer) throws IOException {
      dataRead.addAndGet(buffer.remaining());
      readFully(block, position, buffer);
    }

    @Override
    public void readChecksums(long position, ByteBuffer buffer) throws IOException {
      checksumsRead.addAndGet(buffer.remaining());
      readFully(meta, META_HEADER + position, buffer);
    }

    private static void readFully(FileChannel file, long position, ByteBuffer buffer)
        throws IOException {
      while (buffer.hasRemaining()) {
        int n = file.read(buffer, position);
        if (n < 0) {
          throw new EOFException("ends at " + position);
        }
        position += n;
      }
    }

    @Override
    public FileDescriptor dataDescriptor() {
      return descriptor;
    }

    @Override
    public void transferTo(SocketOutputStream out, long position, int length,
        LongWritable waitTime, LongWritable transferTime) throws IOException {
      dataRead.addAndGet(length);
      out.transferToFully(block, position, length, waitTime, transferTime);
    }

    @Override
    public boolean retain() {
      return users.retain();
    }

    @Override
    public void close() {
      if (users.release()) {
        closes.incrementAndGet();
        IOUtils.cleanupWithLogger(null, block, meta);
      }
    }
  }
}
