/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import io.hdfslocalcache.plugin.read.ClientRead;
import org.apache.hadoop.hdfs.server.datanode.InterceptedRead;
import org.apache.hadoop.hdfs.server.datanode.InterceptedReplicaStreams;

/** A client's read, as {@code BlockSender} follows it. */
final class HdfsRead implements InterceptedRead {

  private final ClientRead read;
  private final InterceptedReplicaStreams streams;

  HdfsRead(ClientRead read) {
    this.read = read;
    this.streams = read.reader().map(LocalCacheStreams::new).orElse(null);
  }

  @Override
  public InterceptedReplicaStreams streams() {
    return streams;
  }

  @Override
  public void finished(long offset) {
    read.finish(offset);
  }
}
