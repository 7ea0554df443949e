/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.net.NetUtils;
import picocli.CommandLine.TypeConversionException;

/** The DataNodes that the user names: some, or all live ones. */
final class DataNodes {
  /** Label of a verb's last arguments. */
  static final String LABEL = "DATANODES";

  /** Their description. */
  static final String DESCRIPTION = "The host:ipc_port of one or more DataNodes, or livenodes for "
      + "all DataNodes that the NameNode lists as live";

  private static final String LIVE_NODES = "livenodes";

  private final Configuration conf;

  DataNodes(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Finds the DataNodes named by arguments.
   *
   * @param args addresses, or {@code livenodes} alone; none means all live DataNodes
   * @return {@code host:ipc_port} of each
   * @throws IOException when the NameNode does not answer, or has none
   * @throws TypeConversionException when an argument is not a DataNode; nothing was asked then
   */
  List<String> named(List<String> args) throws IOException {
    if (args.isEmpty() || args.equals(List.of(LIVE_NODES))) {
      return live();
    }
    if (args.contains(LIVE_NODES)) {
      throw new TypeConversionException(
          "expected " + LIVE_NODES + " alone, got: " + String.join(" ", args));
    }
    for (String address : args) {
      if (!isAddress(address)) {
        throw new TypeConversionException(
            "expected <datanode_host:ipc_port> or livenodes, got: " + address);
      }
    }
    return args.stream().distinct().toList();
  }

  /** @return whether an argument can only be meant for a DataNode. */
  static boolean isTarget(String argument) {
    return argument.equals(LIVE_NODES) || isAddress(argument);
  }

  private static boolean isAddress(String argument) {
    try {
      NetUtils.createSocketAddr(argument);
      // It also takes a URL, and would forget the path.
      return !argument.contains("/");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Finds the DataNodes that serve clients now, or should: live ones, and dead ones unless they are
   * decommissioned or in maintenance.
   *
   * @return {@code host:ipc_port} of each; none if none has registered since the NameNode's start
   * @throws IOException when the NameNode does not answer
   */
  List<String> inService() throws IOException {
    return listed(hdfs -> Stream.concat(
        Arrays.stream(hdfs.getDataNodeStats(DatanodeReportType.LIVE)),
        Arrays.stream(hdfs.getDataNodeStats(DatanodeReportType.DEAD))
            .filter(node -> node.getAdminState() == AdminStates.NORMAL)));
  }

  /** @return whether the NameNode still waits for DataNodes, or an operator keeps it in safe mode. */
  boolean isInSafeMode() throws IOException {
    try (DistributedFileSystem hdfs = connect(conf)) {
      return hdfs.isInSafeMode();
    }
  }

  private List<String> live() throws IOException {
    List<String> live =
        listed(hdfs -> Arrays.stream(hdfs.getDataNodeStats(DatanodeReportType.LIVE)));
    if (live.isEmpty()) {
      // Not a success: an operator who switches off the local cache must not believe that it is
      // off.
      throw new IOException(LIVE_NODES + ": the NameNode knows no live DataNode");
    }
    return live;
  }

  /** A list from the NameNode. */
  @FunctionalInterface
  private interface Listing {
    Stream<DatanodeInfo> of(DistributedFileSystem hdfs) throws IOException;
  }

  /**
   * Asks the NameNode with the configured retries, which its fail-over needs.
   *
   * @return {@code host:ipc_port} of each, sorted
   * @throws IOException when there is no HDFS, the NameNode cannot be reached, or the user is not a
   *     superuser
   */
  private List<String> listed(Listing listing) throws IOException {
    boolean useHostname = conf.getBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
        HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    try (DistributedFileSystem hdfs = connect(conf)) {
      return listing.of(hdfs).map(node -> node.getIpcAddr(useHostname)).distinct().sorted()
          .toList();
    } catch (IOException e) {
      throw new IOException(
          LIVE_NODES + ": the NameNode does not list them: " + Failure.describe(e), e);
    }
  }

  /** @return the same, with the file system that a path names, if it does, as the default one. */
  static Configuration at(Configuration conf, String path) {
    URI uri = new Path(path).toUri();
    String scheme = uri.getScheme();
    String authority = uri.getAuthority();
    if (scheme == null
        || authority == null && scheme.equals(FileSystem.getDefaultUri(conf).getScheme())) {
      return conf;
    }
    Configuration there = new Configuration(conf);
    FileSystem.setDefaultUri(there, scheme + "://" + Objects.toString(authority, "/"));
    return there;
  }

  /**
   * Opens a separate file system, to be closed before a DataNode is asked: Hadoop shares one RPC
   * client while it is in use, with the connect timeout of its first user.
   *
   * @throws IOException when the default file system is not HDFS, or has no valid address
   */
  static DistributedFileSystem connect(Configuration conf) throws IOException {
    Configuration plain = new Configuration(conf);
    // If hdfs:// is a view of several file systems, the NameNode behind it counts.
    plain.setClass("fs.hdfs.impl", DistributedFileSystem.class, FileSystem.class);
    try {
      if (!HdfsConstants.HDFS_URI_SCHEME.equals(FileSystem.getDefaultUri(plain).getScheme())) {
        throw new IOException(FileSystem.getDefaultUri(plain) + " is not HDFS");
      }
      return (DistributedFileSystem) FileSystem.newInstance(plain);
    } catch (IllegalArgumentException e) {
      // Hadoop's exception for a wrong URI, and for an unknown host in one.
      throw new IOException(e.getCause() instanceof UnknownHostException host
          ? "unknown host " + host.getMessage() : e.getMessage(), e);
    }
  }
}
