/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs one verb: {@code -setLocalCache on livenodes}. Reached as {@code hdfs dfsadmin}, whose patch
 * knows this class by name, or without that patch as
 * {@code hadoop io.hdfslocalcache.admin.LocalCacheAdmin}.
 *
 * <p>Results go to standard output, errors to standard error. The exit code is 0 when all was done,
 * 1 when a DataNode or the NameNode failed, refused or could not be reached, and -1 when the
 * command line is wrong and nothing was tried.
 */
public final class LocalCacheAdmin extends VerbTool {
  /** For {@code hdfs dfsadmin}: prints to the streams of the process. */
  public LocalCacheAdmin() {
    this(System.out, System.err, Timeouts.DEFAULT);
  }

  LocalCacheAdmin(PrintStream out, PrintStream err, Timeouts timeouts) {
    super(out, err, timeouts);
  }

  @Override
  List<Verb> verbs(DataNodeClient client) throws IOException {
    DataNodes dataNodes = new DataNodes(getConf(), out, err);
    return List.of(new SetLocalCache(dataNodes, client), new GetLocalCache(dataNodes, client));
  }

  @Override
  void printVerbs(String[] args, List<Verb> verbs) {
    err.println("Usage: hadoop " + getClass().getName());
    verbs.forEach(verb -> err.println("\t[" + verb.usage() + "]"));
  }

  @Override
  void printWrongUse(Verb verb, UsageException wrong) {
    err.println(verb.name().substring(1) + ": " + wrong.getMessage());
    err.println("Usage: hdfs dfsadmin [" + verb.usage() + "]");
  }

  /**
   * Runs one verb and leaves the process with its exit code.
   *
   * @param args Hadoop's generic options, then the verb and its arguments
   * @throws Exception when the command cannot be run at all
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new HdfsConfiguration(), new LocalCacheAdmin(), args));
  }
}
