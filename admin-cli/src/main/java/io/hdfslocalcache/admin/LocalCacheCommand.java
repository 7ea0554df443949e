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
 * Runs one verb of {@code hdfs localcache}.
 *
 * <p>Results go to standard output, errors and progress to standard error. The exit code is 0 when
 * all was done, 1 when a DataNode or the NameNode failed, refused or could not be reached, and -1
 * when the command line is wrong and nothing was tried.
 */
public final class LocalCacheCommand extends VerbTool {
  /** Prints to the streams of the process. */
  public LocalCacheCommand() {
    this(System.out, System.err, Timeouts.DEFAULT);
  }

  LocalCacheCommand(PrintStream out, PrintStream err, Timeouts timeouts) {
    super(out, err, timeouts);
  }

  @Override
  List<Verb> verbs(DataNodeClient client) throws IOException {
    Session session =
        new Session(getConf(), out, err, new DataNodes(getConf(), out, err), client);
    return List.of(new Status(session), new SwitchTo("on", session),
        new SwitchTo("off", session), new Explain(session), new Top(session),
        new Clear(session), new Warm(session), new Trace(session), new Rules(session),
        new SetValue(session), new Pin(session), new Unpin(session));
  }

  @Override
  void printVerbs(String[] args, List<Verb> verbs) {
    if (args.length > 0) {
      err.println("localcache: unknown verb: " + args[0]);
    }
    err.println("Usage: hdfs localcache VERB");
    verbs.forEach(verb -> err.println("\t" + verb.usage()));
  }

  @Override
  void printWrongUse(Verb verb, UsageException wrong) {
    err.println(verb.name() + ": " + wrong.getMessage());
    err.println("Usage: hdfs localcache " + verb.usage());
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
