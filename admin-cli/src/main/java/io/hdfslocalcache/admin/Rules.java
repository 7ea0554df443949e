/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/** Shows the rules by path and client with what is on their accounts, or has them read again. */
final class Rules implements Verb {
  private final Session session;

  Rules(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "rules";
  }

  @Override
  public String usage() {
    return "rules [--json] [--reload] " + DataNodes.USAGE_MANY;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options = Options.parse(args, Set.of("--json", "--reload"), Set.of());
    List<String> command =
        options.has("--reload") ? List.of("rules", "reload") : List.of("rules");
    return new AskEach(session, command, "rules", Rules::text)
        .run(options.rest(), options.has("--json"));
  }

  /** Returns the rules of one DataNode in words, line by line. */
  static List<String> text(String dataNode, JsonNode view) {
    List<String> lines = new ArrayList<>();
    String file = view.path("file").asText();
    boolean none = file.isEmpty() && view.path("rules").isEmpty();
    lines.add(dataNode + ": " + (none ? "no rules" : (file.isEmpty() ? "no file" : file) + "; "
        + Text.count(view.path("blocks").asLong(), "block") + " on its paths"));
    view.path("rules").forEach(rule -> lines.add("  " + rule.path("name").asText()
        + (rule.hasNonNull("parent") ? " (in " + rule.path("parent").asText() + ")" : "")
        + (rule.hasNonNull("action") ? ", " + rule.path("action").asText() : "") + ": "
        + Text.count(rule.path("pages").asLong(), "page") + ", "
        + Text.bytes(rule.path("bytesWithChildren").asLong())
        + (rule.hasNonNull("quota") ? " of " + Text.bytes(rule.path("quota").asLong()) : "")
        + "; " + Text.count(rule.path("reads").asLong(), "read") + ", "
        + rule.path("hits").asLong() + " hit; " + rule.path("rejected").asLong() + " rejected, "
        + rule.path("evicted").asLong() + " evicted"));
    return lines;
  }
}
