/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.Daemon;

/**
 * The DataNodes a command is meant for, one or all that live: asks them all at once and prints one
 * line for each, answers to standard output and failures to standard error.
 */
final class DataNodes {
  /** How the last argument of a verb names them. */
  static final String USAGE = "[<datanode_host:ipc_port>|livenodes]";

  private static final String LIVE_NODES = "livenodes";
  /** A thousand DataNodes that all time out (5 s) then take less than three minutes. */
  private static final int MAX_AT_ONCE = 32;

  private final Configuration conf;
  private final PrintStream out;
  private final PrintStream err;

  DataNodes(Configuration conf, PrintStream out, PrintStream err) {
    this.conf = conf;
    this.out = out;
    this.err = err;
  }

  /** What is asked of one DataNode. */
  @FunctionalInterface
  interface Question {

    /**
     * Asks; called by several threads at once.
     *
     * @param dataNode {@code host:ipc_port}
     * @return the answer on one line
     * @throws IOException when there is no answer, or it is a refusal
     */
    String ask(String dataNode) throws IOException;
  }

  /**
   * Asks the DataNodes that the rest of the command line names.
   *
   * @param args at most one argument, {@link #USAGE}; none means all live DataNodes
   * @return the exit code
   * @throws UsageException when the arguments name no DataNodes; nobody was asked then
   */
  int ask(List<String> args, Question question) throws UsageException {
    if (args.size() > 1) {
      throw new UsageException("too many arguments: " + String.join(" ", args));
    }
    if (!args.isEmpty() && !args.get(0).equals(LIVE_NODES)) {
      checkAddress(args.get(0));
      return askAll(List.of(args.get(0)), question);
    }
    return askLiveNodes(question);
  }

  private static void checkAddress(String address) throws UsageException {
    try {
      NetUtils.createSocketAddr(address);
    } catch (IllegalArgumentException e) {
      throw new UsageException("expected <datanode_host:ipc_port> or livenodes, got: " + address);
    }
  }

  private int askLiveNodes(Question question) {
    List<String> live;
    try {
      live = LiveNodes.addresses(conf);
    } catch (IOException e) {
      err.println(LIVE_NODES + ": the NameNode does not list them: " + Failure.describe(e));
      return LocalCacheAdmin.FAILED;
    }
    if (live.isEmpty()) {
      // Not a success: who switches off the local cache must not believe that it is off.
      err.println(LIVE_NODES + ": the NameNode knows no live DataNode");
      return LocalCacheAdmin.FAILED;
    }
    return askAll(live, question);
  }

  private int askAll(List<String> dataNodes, Question question) {
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.min(MAX_AT_ONCE, dataNodes.size()), Daemon::new);
    try {
      Map<String, Future<String>> answers = new LinkedHashMap<>();
      dataNodes.forEach(dn -> answers.put(dn, askers.submit(() -> question.ask(dn))));
      int exitCode = LocalCacheAdmin.DONE;
      for (Map.Entry<String, Future<String>> answer : answers.entrySet()) {
        if (!print(answer.getKey(), answer.getValue())) {
          exitCode = LocalCacheAdmin.FAILED;
        }
      }
      return exitCode;
    } finally {
      askers.shutdownNow();
    }
  }

  private boolean print(String dataNode, Future<String> answer) {
    Throwable failure;
    try {
      out.println(dataNode + ": " + answer.get());
      return true;
    } catch (ExecutionException e) {
      failure = e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = new InterruptedIOException("interrupted");
    }
    err.println(dataNode + ": " + Failure.describe(failure));
    return false;
  }
}
