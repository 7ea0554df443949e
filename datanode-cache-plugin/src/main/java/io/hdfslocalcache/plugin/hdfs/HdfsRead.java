/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.hdfs.server.datanode.InterceptedRead;
import org.apache.hadoop.hdfs.server.datanode.InterceptedReplicaStreams;
import org.apache.hadoop.hdfs.server.datanode.ReadingClient;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/** A client's read, as {@code BlockSender} follows it. */
final class HdfsRead implements InterceptedRead {

  private final ClientRead read;
  private final InterceptedReplicaStreams streams;
  private final TraceEntry trace;
  private final LocalCacheMetrics metrics;
  private final long startNanos = TimeAndThreads.get().nanoTime();

  /**
   * Begins to follow a read.
   *
   * @param trace its trace entry, or null
   * @param metrics count the durations of the read and of the replica's disk
   */
  HdfsRead(ClientRead read, TraceEntry trace, LocalCacheMetrics metrics) {
    this.read = read;
    this.streams = read.reader().map(Streams::new).orElse(null);
    this.trace = trace;
    this.metrics = metrics;
  }

  @Override
  public InterceptedReplicaStreams streams() {
    return streams;
  }

  @Override
  public void replicaRead(long nanos) {
    metrics.volumeTook(nanos);
    read.replicaRead(nanos);
  }

  @Override
  public void finished(long offset) {
    if (!read.finish(offset)) {
      return;
    }
    metrics.readTook(read.outcome(), read.end() - read.from(), TimeAndThreads.get().nanoTime() - startNanos);
    if (trace != null) {
      trace.finished(read);
    }
  }

  /** A {@link SnapshotReader} as the streams of a replica that {@code BlockSender} reads. */
  static final class Streams extends InterceptedReplicaStreams {

    private final SnapshotReader reader;

    Streams(SnapshotReader reader) {
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

  /** The trace entry of a client's read. */
  static final class TraceEntry {

    private static final long NANOS_PER_MICRO = 1000;

    private final ReadTrace trace;
    private final String reader;
    private final long startMillis = TimeAndThreads.get().currentTimeMillis();
    private final long startNanos = TimeAndThreads.get().nanoTime();

    private TraceEntry(ReadTrace trace, String reader) {
      this.trace = trace;
      this.reader = reader;
    }

    /** @return the entry for a read that begins, or null if it is not to be traced. */
    static TraceEntry begin(ReadTrace trace, ReadingClient client, BlockKey block) {
      if (trace == null || client.name().isEmpty() || !trace.wants(block)) {
        return null;
      }
      String address = client.address();
      return new TraceEntry(trace, address.substring(address.lastIndexOf('/') + 1));
    }

    /** The read is over. */
    void finished(ClientRead read) {
      ReplicaSnapshot replica = read.snapshot();
      trace.add(new TracedRead(startMillis, (TimeAndThreads.get().nanoTime() - startNanos) / NANOS_PER_MICRO,
          replica.key().blockPoolId(), replica.key().blockId(), replica.generationStamp(),
          replica.length(), read.from(), Math.max(0, read.end() - read.from()), reader,
          read.outcome()));
    }
  }
}
