/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import io.hdfslocalcache.plugin.dryrun.Ghosts;
import io.hdfslocalcache.plugin.metrics.ReadTimes;
import io.hdfslocalcache.plugin.read.ClientRead;
import org.apache.hadoop.hdfs.server.datanode.InterceptedRead;
import org.apache.hadoop.hdfs.server.datanode.InterceptedReplicaStreams;

/** A client's read, as {@code BlockSender} follows it. */
final class HdfsRead implements InterceptedRead {

  private final ClientRead read;
  private final InterceptedReplicaStreams streams;
  private final TraceEntry trace;
  private final ReadTimes times;
  private final Ghosts.Reading ghosts;

  /**
   * Begins to follow.
   *
   * @param trace what is said of it in the trace, or null
   * @param times counts how long the replica's disk takes
   * @param ghosts the read as ghosts see it, or null
   */
  HdfsRead(ClientRead read, TraceEntry trace, ReadTimes times,
      Ghosts.Reading ghosts) {
    this.read = read;
    this.ghosts = ghosts;
    this.streams = read.reader().map(LocalCacheStreams::new).orElse(null);
    this.trace = trace;
    this.times = times;
  }

  @Override
  public InterceptedReplicaStreams streams() {
    return streams;
  }

  @Override
  public void replicaRead(long nanos) {
    times.volume(nanos);
    read.replicaRead(nanos);
  }

  @Override
  public void finished(long offset) {
    if (!read.finish(offset)) {
      return;
    }
    if (trace != null) {
      trace.finished(read);
    }
    if (ghosts != null) {
      ghosts.finished(read.end());
    }
  }
}
