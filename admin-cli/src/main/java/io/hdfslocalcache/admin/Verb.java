/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A verb of {@code hdfs localcache}. Its arguments are in its fields when it runs. */
abstract class Verb {
  static final String JSON = "Prints one JSON document instead of lines.";
  static final String MAX_BLOCKS =
      "Does nothing for a path with more than N blocks (default: ${DEFAULT-VALUE}).";

  final Session session;

  @Spec
  CommandSpec spec;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help.")
  private boolean help;

  Verb(Session session) {
    this.session = session;
  }

  /**
   * Does it.
   *
   * @return the exit code, {@link Session#DONE} or {@link Session#FAILED}
   * @throws IOException when nothing could be done; the message is for the user
   * @throws ParameterException when the arguments make no sense; nothing was done then
   */
  abstract int run() throws IOException;

  /** @return what is to be thrown when the arguments make no sense. */
  final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Refuses a number that is too small or too large. */
  final void check(String option, int number, int max) {
    if (number < 1 || number > max) {
      throw wrong(option + " must be a number from 1 to " + max + ", got: " + number);
    }
  }

  /** Refuses a path that is not absolute. */
  final void checkPath(String path) {
    if (!FileBlocks.isPath(path)) {
      throw wrong("expected an absolute path, got: " + path);
    }
  }
}
