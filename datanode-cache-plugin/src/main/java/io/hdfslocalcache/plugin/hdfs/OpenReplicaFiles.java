/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/**
 * Block and meta file of a replica, opened through the dataset as {@code BlockSender} does.
 *
 * <p>An append that begins later continues the same files, and overwrites the checksum of the last
 * chunk if that is not full. As {@code BlockSender} does, this remembers that checksum.
 */
final class OpenReplicaFiles implements ReplicaFiles {

  private final FileIoProvider io;
  private final FsVolumeReference volume;
  private final FileInputStream data;
  private final FileInputStream meta;
  private final DataChecksum checksum;
  private final LastChecksum last;

  private OpenReplicaFiles(FileIoProvider io, FsVolumeReference volume, FileInputStream data,
      FileInputStream meta, long length) throws IOException {
    this.io = io;
    this.volume = volume;
    this.data = data;
    this.meta = meta;
    this.checksum = BlockMetadataHeader.preadHeader(meta.getChannel()).getChecksum();
    this.last = LastChecksum.read(checksum, length, this::readStoredChecksums);
  }

  /** @throws IOException if the replica is gone, or is not a pair of local files */
  static OpenReplicaFiles open(FsDatasetSpi<?> dataset, FileIoProvider io, ExtendedBlock block)
      throws IOException {
    FsVolumeSpi volume = dataset.getVolume(block);
    if (volume == null) {
      throw new IOException("no replica of " + block);
    }
    FsVolumeReference reference = volume.obtainReference();
    InputStream data = null;
    InputStream meta = null;
    try {
      data = dataset.getBlockInputStream(block, 0);
      meta = unwrapped(dataset.getMetaDataInputStream(block));
      return of(io, reference, data, meta, block.getNumBytes());
    } catch (IOException | RuntimeException e) {
      IOUtils.cleanupWithLogger(null, data, meta, reference);
      throw e;
    }
  }

  /**
   * Opens the files of a replica that has just left the replica map, where they still are: in
   * their old place, or where an append has moved them.
   *
   * @throws IOException if they are in neither
   */
  static OpenReplicaFiles ofLeaving(Replica before, Replica after) throws IOException {
    try {
      return ofLeaving((ReplicaInfo) before, before.getNumBytes());
    } catch (IOException e) {
      if (after == null) {
        throw e;
      }
      return ofLeaving((ReplicaInfo) after, before.getNumBytes());
    }
  }

  /**
   * Opens the files of a replica that has left the replica map with its block pool.
   *
   * @throws IOException if there was none, or its files are gone
   */
  static OpenReplicaFiles ofLeft(Replica before) throws IOException {
    if (before == null) {
      throw new IOException("the block pool had no such replica");
    }
    return ofLeaving(before, null);
  }

  private static OpenReplicaFiles ofLeaving(ReplicaInfo replica, long length)
      throws IOException {
    InputStream data = null;
    InputStream meta = null;
    try {
      data = replica.getDataInputStream(0);
      meta = unwrapped(replica.getMetadataInputStream(0));
      // Without a reference to the volume. These files may be kept for as long as an append goes
      // on, and a volume is not removed before the last reference to it is gone.
      return of(replica.getFileIoProvider(), null, data, meta, length);
    } catch (IOException | RuntimeException e) {
      IOUtils.cleanupWithLogger(null, data, meta);
      throw e;
    }
  }

  private static OpenReplicaFiles of(FileIoProvider io, FsVolumeReference volume,
      InputStream data, InputStream meta, long length) throws IOException {
    if (data instanceof FileInputStream dataFile && meta instanceof FileInputStream metaFile) {
      return new OpenReplicaFiles(io, volume, dataFile, metaFile, length);
    }
    throw new IOException("not a pair of local files: " + data + ", " + meta);
  }

  private static InputStream unwrapped(LengthInputStream stream) {
    return stream == null ? null : stream.getWrappedStream();
  }

  @Override
  public DataChecksum checksum() {
    return checksum;
  }

  @Override
  public void readData(long position, ByteBuffer buffer) throws IOException {
    readFully(data.getChannel(), position, buffer);
  }

  @Override
  public void readChecksums(long position, ByteBuffer buffer) throws IOException {
    int begin = buffer.position();
    readStoredChecksums(position, buffer);
    last.putInto(buffer, begin, position);
  }

  private void readStoredChecksums(long position, ByteBuffer buffer) throws IOException {
    readFully(meta.getChannel(), BlockMetadataHeader.getHeaderSize() + position, buffer);
  }

  private static void readFully(FileChannel file, long position, ByteBuffer buffer)
      throws IOException {
    while (buffer.hasRemaining()) {
      int n = file.read(buffer, position);
      if (n < 0) {
        throw new EOFException("replica's file ends at " + position);
      }
      position += n;
    }
  }

  @Override
  public void transferTo(SocketOutputStream out, long position, int length,
      LongWritable waitTime, LongWritable transferTime) throws IOException {
    FsVolumeSpi of = volume == null ? null : volume.getVolume();
    io.transferToSocketFully(
        of, out, data.getChannel(), position, length, waitTime, transferTime);
  }

  @Override
  public FileDescriptor dataDescriptor() {
    try {
      return data.getFD();
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.cleanupWithLogger(null, data, meta, volume);
  }
}
