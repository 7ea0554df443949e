/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;

/**
 * Deletes a directory after a client has listed its first part. The NameNode tells it of each call,
 * before the client has the answer.
 */
public final class DeleteAfterListing implements AuditLogger {

  private static FileSystem fs;
  private static volatile String doomed;

  /** @return a description of a cluster whose NameNode lists two files in a call. */
  public static LocalCacheCluster.Builder builder() {
    return LocalCacheCluster.builder().set(DFSConfigKeys.DFS_LIST_LIMIT, 2)
        .set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, DeleteAfterListing.class.getName());
  }

  /** Waits for the next listing of this directory. */
  public static void delete(FileSystem by, String directory) {
    fs = by;
    doomed = directory;
  }

  /** @return whether the directory was listed, and is deleted. */
  public static boolean isDone() {
    return doomed == null;
  }

  @Override
  public void initialize(Configuration conf) {
  }

  @Override
  public void logAuditEvent(boolean succeeded, String userName, InetAddress client, String command,
      String path, String target, FileStatus status) {
    if (command.equals("listStatus") && path.equals(doomed)) {
      doomed = null;
      try {
        fs.delete(new Path(path), true);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
