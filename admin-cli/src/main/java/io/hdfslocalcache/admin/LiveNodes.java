/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** The DataNodes that the NameNode of the default file system takes for alive. */
final class LiveNodes {
  private LiveNodes() {}

  /**
   * Asks the NameNode, with the configured patience: its fail-over needs the retries.
   *
   * @return {@code host:ipc_port} of each, sorted
   * @throws IOException when there is no HDFS, the NameNode cannot be asked, or the user is no
   *     superuser
   */
  static List<String> addresses(Configuration conf) throws IOException {
    boolean useHostname = conf.getBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
        HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    try (DistributedFileSystem hdfs = connect(conf)) {
      return Arrays.stream(hdfs.getDataNodeStats(DatanodeReportType.LIVE))
          .map(node -> node.getIpcAddr(useHostname))
          .sorted()
          .toList();
    }
  }

  /**
   * A file system of our own, to be closed before a DataNode is asked: Hadoop keeps one RPC client
   * for as long as anybody uses it, and the connect timeout is that of whoever came first.
   *
   * @throws IOException when the default file system is not HDFS
   */
  static DistributedFileSystem connect(Configuration conf) throws IOException {
    Configuration plain = new Configuration(conf);
    // Where hdfs:// is a view of several file systems, what counts is the NameNode behind it.
    plain.setClass("fs.hdfs.impl", DistributedFileSystem.class, FileSystem.class);
    if (!HdfsConstants.HDFS_URI_SCHEME.equals(FileSystem.getDefaultUri(plain).getScheme())) {
      throw new IOException(FileSystem.getDefaultUri(plain) + " is not HDFS");
    }
    return (DistributedFileSystem) FileSystem.newInstance(plain);
  }
}
