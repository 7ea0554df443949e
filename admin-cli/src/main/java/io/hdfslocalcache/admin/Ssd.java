/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Adds, drains, removes or replaces an SSD of DataNodes. */
@Command(name = "ssd", description = "Takes an SSD into use or out of it, without a restart.")
final class Ssd extends Verb {
  private static final Set<String> ACTIONS = Set.of("add", "drain", "remove", "replace");

  @Parameters(index = "0", paramLabel = "add|drain|remove|replace", description = {
      "add: uses one more SSD, or one that was drained.",
      "drain: adds no page to the SSD; those that are there leave within ten minutes.",
      "remove: closes all files on the SSD; page files stay.",
      "replace: uses the file system that is now mounted in the place of another."})
  private String action;

  @Parameters(index = "1", paramLabel = "PATH", description = "The directory on the SSD.")
  private String path;

  /** No default: an SSD is one of a host's, and few hosts are meant. */
  @Parameters(index = "2..*", arity = "1..*", paramLabel = DataNodes.LABEL,
      description = DataNodes.DESCRIPTION + ".")
  private List<String> targets;

  Ssd(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    if (!ACTIONS.contains(action)) {
      throw wrong("expected add, drain, remove or replace");
    }
    checkPath(path);
    Map<String, ?> command = Map.of("command", "ssd", "action", action, "directory", path);
    return session.ask(session.dataNodes().named(targets),
        dataNode -> session.client().askJson(dataNode, command),
        answer -> session.out().println(answer.dataNode() + ": " + text(answer.value())));
  }

  /** @return what was done, on one line. */
  private static String text(JsonNode done) {
    return done.path("directory").asText() + " " + done.path("done").asText();
  }
}
