/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * The DataNodes a command is meant for, one or all that live: asks them all at once and prints one
 * line for each, answers to standard output and failures to standard error.
 */
final class DataNodes {
  /** How the last argument of a verb names them. */
  static final String USAGE = "[<datanode_host:ipc_port>|livenodes]";

  /** The same where several may be named. */
  static final String USAGE_MANY = "[<datanode_host:ipc_port>...|livenodes]";

  private static final String LIVE_NODES = "livenodes";

  private final Configuration conf;
  private final PrintStream out;
  private final PrintStream err;

  DataNodes(Configuration conf, PrintStream out, PrintStream err) {
    this.conf = conf;
    this.out = out;
    this.err = err;
  }

  /**
   * Asks the DataNodes that the rest of the command line names.
   *
   * @param args at most one argument, {@link #USAGE}; none means all live DataNodes
   * @return the exit code
   * @throws UsageException when the arguments name no DataNodes; nobody was asked then
   */
  int ask(List<String> args, FanOut.Question<String> question) throws UsageException {
    if (args.size() > 1) {
      throw new UsageException("too many arguments: " + String.join(" ", args));
    }
    List<String> named = named(args);
    return named == null ? LocalCacheAdmin.FAILED : askAll(named, question);
  }

  /**
   * Finds the DataNodes that arguments name.
   *
   * @param args addresses, or {@code livenodes} alone; none means all live DataNodes
   * @return {@code host:ipc_port} of each; null when the NameNode does not tell, or has none, which
   *     has been printed then
   * @throws UsageException when an argument names no DataNode; nobody was asked then
   */
  List<String> named(List<String> args) throws UsageException {
    if (args.isEmpty() || args.equals(List.of(LIVE_NODES))) {
      return live();
    }
    for (String address : args) {
      checkAddress(address);
    }
    return args.stream().distinct().toList();
  }

  private static void checkAddress(String address) throws UsageException {
    try {
      NetUtils.createSocketAddr(address);
    } catch (IllegalArgumentException e) {
      throw new UsageException("expected <datanode_host:ipc_port> or livenodes, got: " + address);
    }
  }

  private List<String> live() {
    List<String> live;
    try {
      live = LiveNodes.addresses(conf);
    } catch (IOException e) {
      err.println(LIVE_NODES + ": the NameNode does not list them: " + Failure.describe(e));
      return null;
    }
    if (live.isEmpty()) {
      // Not a success: who switches off the local cache must not believe that it is off.
      err.println(LIVE_NODES + ": the NameNode knows no live DataNode");
      return null;
    }
    return live;
  }

  private int askAll(List<String> dataNodes, FanOut.Question<String> question) {
    int[] exitCode = {LocalCacheAdmin.DONE};
    FanOut.ask(dataNodes, question, answer -> {
      if (answer.failed()) {
        err.println(answer.dataNode() + ": " + answer.failure());
        exitCode[0] = LocalCacheAdmin.FAILED;
      } else {
        out.println(answer.dataNode() + ": " + answer.value());
      }
    });
    return exitCode[0];
  }
}
