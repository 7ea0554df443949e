/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.FileDescriptor;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaSourceStreams;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.io.nativeio.NativeIOException;

/** The class of this name in the seam, as streams of a {@link ReplicaSource}. */
public abstract class InterceptedReplicaStreams extends ReplicaSourceStreams {

  /** As in the seam. */
  public abstract long getSnapshotLength();

  @Override
  public final long getLength() {
    return getSnapshotLength();
  }

  @Override
  protected abstract void seek(long offset);

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
}
