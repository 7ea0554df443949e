/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.io.nativeio.NativeIOException;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/**
 * Data and checksums of one finalized state of a replica, for one read, in place of the replica's
 * files. Both advance independently from the offset given to {@link #seek}, as the two files of
 * {@link ReplicaInputStreams} do. An {@link IOException} thrown by this class must mean the same as
 * for a read of the replica's files.
 */
@InterfaceAudience.LimitedPrivate("DataNode local cache")
@InterfaceStability.Unstable
public abstract class InterceptedReplicaStreams extends ReplicaInputStreams {

  private FsVolumeReference volume;

  protected InterceptedReplicaStreams() {
    // Not null, which BlockSender would take for a replica without checksums.
    super(new ByteArrayInputStream(new byte[0]), new ByteArrayInputStream(new byte[0]), null, null);
  }

  /** @return length of the replica, in bytes, in the state that is served. */
  public abstract long getSnapshotLength();

  /** @return type and chunk size of the checksums, as in the header of the meta file. */
  public abstract DataChecksum getChecksum();

  /**
   * Positions both streams before the first chunk to send.
   *
   * @param offset a multiple of the checksums' chunk size, or of 512 if the client needs none
   */
  protected abstract void seek(long offset);

  /**
   * Sends the head of a packet and the next bytes of data straight to the socket, in one write if
   * the data is in memory.
   *
   * @param head bytes before the data
   * @param length bytes of data; may be 0
   * @param waitTime set to the nanoseconds spent waiting for the socket
   * @param transferTime set to the nanoseconds spent sending
   */
  public abstract void transferTo(SocketOutputStream out, ByteBuffer head, int length,
      LongWritable waitTime, LongWritable transferTime) throws IOException;

  @Override
  public abstract void readDataFully(byte[] buf, int off, int len) throws IOException;

  @Override
  public abstract void readChecksumFully(byte[] buf, int off, int len) throws IOException;

  /** @return the replica's block file if it is being read now, else null: no hints to the OS. */
  @Override
  public abstract FileDescriptor getDataInFd();

  @Override
  public final void dropCacheBehindReads(String identifier, long offset, long len, int flags)
      throws NativeIOException {
    FileDescriptor file = getDataInFd();
    if (file != null) {
      NativeIO.POSIX.getCacheManipulator().posixFadviseIfPossible(
          identifier, file, offset, len, flags);
    }
  }

  /** Releases the streams' resources. May be called more than once. */
  protected abstract void release();

  final void begin(long offset, FsVolumeReference volumeReference) {
    volume = volumeReference;
    seek(offset);
  }

  /** @return the reference that prevents removing the volume; null before the read has begun. */
  @Override
  public final FsVolumeReference getVolumeRef() {
    return volume;
  }

  @Override
  public final void closeStreams() throws IOException {
    close();
  }

  @Override
  public final void close() {
    release();
    super.close();
    IOUtils.cleanupWithLogger(null, volume);
    volume = null;
  }
}
