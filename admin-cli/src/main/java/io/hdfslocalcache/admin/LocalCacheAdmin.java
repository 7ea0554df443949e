/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Tool;
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
public final class LocalCacheAdmin extends Configured implements Tool {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_USAGE = -1;

  private final PrintStream out;
  private final PrintStream err;
  private final Timeouts timeouts;

  /** For {@code hdfs dfsadmin}: prints to the streams of the process. */
  public LocalCacheAdmin() {
    this(System.out, System.err, Timeouts.DEFAULT);
  }

  LocalCacheAdmin(PrintStream out, PrintStream err, Timeouts timeouts) {
    this.out = out;
    this.err = err;
    this.timeouts = timeouts;
  }

  /**
   * Runs one verb.
   *
   * @param args the verb with its hyphen, and its arguments
   * @return the exit code: 0, 1 or -1
   * @throws IOException when the current user cannot be found out
   */
  @Override
  public int run(String[] args) throws IOException {
    List<Verb> verbs = verbs();
    for (Verb verb : verbs) {
      if (args.length > 0 && verb.name().equals(args[0])) {
        return run(verb, Arrays.asList(args).subList(1, args.length));
      }
    }
    err.println("Usage: hadoop " + getClass().getName());
    verbs.forEach(verb -> err.println("\t[" + verb.usage() + "]"));
    return WRONG_USAGE;
  }

  private int run(Verb verb, List<String> args) {
    try {
      return verb.run(args);
    } catch (UsageException e) {
      err.println(verb.name().substring(1) + ": " + e.getMessage());
      err.println("Usage: hdfs dfsadmin [" + verb.usage() + "]");
      return WRONG_USAGE;
    }
  }

  private List<Verb> verbs() throws IOException {
    DataNodeClient client =
        new DataNodeClient(getConf(), UserGroupInformation.getCurrentUser(), timeouts);
    DataNodes dataNodes = new DataNodes(getConf(), out, err);
    return List.of(new SetLocalCache(dataNodes, client), new GetLocalCache(dataNodes, client));
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
