/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

import io.hdfslocalcache.plugin.read.SnapshotReader;
import org.apache.hadoop.hdfs.server.datanode.InterceptedReplicaStreams;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/** A {@link SnapshotReader} as the streams of a replica that {@code BlockSender} reads. */
final class LocalCacheStreams extends InterceptedReplicaStreams {

  private final SnapshotReader reader;

  LocalCacheStreams(SnapshotReader reader) {
    this.reader = reader;
  }

  @Override
  public long getSnapshotLength() {
    return reader.length();
  }

  @Override
  public DataChecksum getChecksum() {
    return reader.checksum();
  }

  @Override
  protected void seek(long offset) {
    reader.seek(offset);
  }

  @Override
  public void readDataFully(byte[] buffer, int offset, int length) throws IOException {
    try {
      reader.readData(buffer, offset, length);
    } catch (ClosedChannelException e) {
      // By an interrupt, for example at the DataNode's shutdown. BlockSender checks the message.
      throw new IOException("the files of the replica were closed by an interrupt", e);
    }
  }

  @Override
  public void readChecksumFully(byte[] buffer, int offset, int length) throws IOException {
    reader.readChecksums(buffer, offset, length);
  }

  @Override
  public void transferTo(SocketOutputStream out, ByteBuffer head, int length,
      LongWritable waitTime, LongWritable transferTime) throws IOException {
    reader.transferTo(out, head, length, waitTime, transferTime);
  }

  @Override
  public FileDescriptor getDataInFd() {
    return reader.replicaInUse();
  }

  @Override
  protected void release() {
    reader.close();
  }
}
