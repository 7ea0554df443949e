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
 * Runs one verb of {@code hdfs localcache}.
 *
 * <p>Results go to standard output, errors and progress to standard error. The exit code is 0 when
 * all was done, 1 when a DataNode or the NameNode failed, refused or could not be reached, and -1
 * when the command line is wrong and nothing was tried.
 */
public final class LocalCacheCommand extends Configured implements Tool {
  private final PrintStream out;
  private final PrintStream err;
  private final Timeouts timeouts;

  /** Prints to the streams of the process. */
  public LocalCacheCommand() {
    this(System.out, System.err, Timeouts.DEFAULT);
  }

  LocalCacheCommand(PrintStream out, PrintStream err, Timeouts timeouts) {
    this.out = out;
    this.err = err;
    this.timeouts = timeouts;
  }

  /**
   * Runs one verb.
   *
   * @param args the verb and its arguments
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
    if (args.length > 0) {
      err.println("localcache: unknown verb: " + args[0]);
    }
    err.println("Usage: hdfs localcache VERB");
    verbs.forEach(verb -> err.println("\t" + verb.usage()));
    return LocalCacheAdmin.WRONG_USAGE;
  }

  private int run(Verb verb, List<String> args) {
    try {
      return verb.run(args);
    } catch (UsageException e) {
      err.println(verb.name() + ": " + e.getMessage());
      err.println("Usage: hdfs localcache " + verb.usage());
      return LocalCacheAdmin.WRONG_USAGE;
    }
  }

  private List<Verb> verbs() throws IOException {
    DataNodeClient client =
        new DataNodeClient(getConf(), UserGroupInformation.getCurrentUser(), timeouts);
    Session session =
        new Session(getConf(), out, err, new DataNodes(getConf(), out, err), client);
    return List.of(new Status(session), new SwitchTo("on", session),
        new SwitchTo("off", session), new Explain(session), new Top(session),
        new Clear(session), new Warm(session));
  }

  /**
   * Runs one verb and leaves the process with its exit code.
   *
   * @param args Hadoop's generic options, then the verb and its arguments
   * @throws Exception when the command cannot be run at all
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new HdfsConfiguration(), new LocalCacheCommand(), args));
  }
}
