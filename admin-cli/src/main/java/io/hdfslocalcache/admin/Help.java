/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what {@code --help} shows. */
@Command(name = "help", description = "Says what a verb does, and what its arguments mean.")
final class Help extends Verb {

  @Parameters(arity = "0..1", paramLabel = "VERB", description = "One verb (default: all of them).")
  private String verb;

  Help(Session session) {
    super(session);
  }

  @Override
  int run() {
    CommandLine all = spec.parent().commandLine();
    CommandLine asked = verb == null ? all : all.getSubcommands().get(verb);
    if (asked == null) {
      throw wrong("unknown verb: " + verb);
    }
    asked.usage(session.out());
    return Session.DONE;
  }
}
