/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Tool;

/** Finds the verb on the command line and runs it. What is printed about usage is the front's. */
abstract class VerbTool extends Configured implements Tool {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_USAGE = -1;

  final PrintStream out;
  final PrintStream err;
  private final Timeouts timeouts;

  VerbTool(PrintStream out, PrintStream err, Timeouts timeouts) {
    this.out = out;
    this.err = err;
    this.timeouts = timeouts;
  }

  /** @return the verbs of this front, with the way to the DataNodes. */
  abstract List<Verb> verbs(DataNodeClient client) throws IOException;

  /** Prints that no verb was found, and which there are. */
  abstract void printVerbs(String[] args, List<Verb> verbs);

  /** Prints what was wrong with the arguments of a verb, and how it is used. */
  abstract void printWrongUse(Verb verb, UsageException wrong);

  /**
   * Runs one verb.
   *
   * @param args the verb and its arguments
   * @return the exit code: 0, 1 or -1
   * @throws IOException when the current user cannot be found out
   */
  @Override
  public int run(String[] args) throws IOException {
    List<Verb> verbs = verbs(
        new DataNodeClient(getConf(), UserGroupInformation.getCurrentUser(), timeouts));
    for (Verb verb : verbs) {
      if (args.length > 0 && verb.name().equals(args[0])) {
        return run(verb, Arrays.asList(args).subList(1, args.length));
      }
    }
    printVerbs(args, verbs);
    return WRONG_USAGE;
  }

  private int run(Verb verb, List<String> args) {
    try {
      return verb.run(args);
    } catch (UsageException e) {
      printWrongUse(verb, e);
      return WRONG_USAGE;
    }
  }
}
