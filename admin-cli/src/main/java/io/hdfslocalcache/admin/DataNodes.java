/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import picocli.CommandLine.TypeConversionException;

/** The DataNodes that the user names: some, or all that live. */
final class DataNodes {
  /** What the last arguments of a verb are called. */
  static final String LABEL = "DATANODES";

  /** What they are. */
  static final String DESCRIPTION = "The host:ipc_port of one or more DataNodes, or livenodes for "
      + "all that the NameNode takes for alive";

  private static final String LIVE_NODES = "livenodes";

  private final Configuration conf;

  DataNodes(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Finds the DataNodes that arguments name.
   *
   * @param args addresses, or {@code livenodes} alone; none means all live DataNodes
   * @return {@code host:ipc_port} of each
   * @throws IOException when the NameNode does not tell, or has none
   * @throws TypeConversionException when an argument names no DataNode; nobody was asked then
   */
  List<String> named(List<String> args) throws IOException {
    if (args.isEmpty() || args.equals(List.of(LIVE_NODES))) {
      return live();
    }
    for (String address : args) {
      checkAddress(address);
    }
    return args.stream().distinct().toList();
  }

  private static void checkAddress(String address) {
    try {
      NetUtils.createSocketAddr(address);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "expected <datanode_host:ipc_port> or livenodes, got: " + address);
    }
  }

  private List<String> live() throws IOException {
    List<String> live;
    try {
      live = LiveNodes.addresses(conf);
    } catch (IOException e) {
      throw new IOException(
          LIVE_NODES + ": the NameNode does not list them: " + Failure.describe(e), e);
    }
    if (live.isEmpty()) {
      // Not a success: who switches off the local cache must not believe that it is off.
      throw new IOException(LIVE_NODES + ": the NameNode knows no live DataNode");
    }
    return live;
  }
}
