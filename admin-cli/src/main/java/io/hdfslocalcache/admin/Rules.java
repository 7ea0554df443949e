/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.plugin.config.Sizes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the rules by path and client with what they use, or reads their file again. */
@Command(name = "rules",
    description = "Shows the rules by path, client and user, and what they use.")
final class Rules extends AskEach {
  @Option(names = "--reload", description = "Reads the rules file again first.")
  private boolean reload;

  Rules(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    return ask(Map.of("command", "rules", "reload", reload), "rules", Rules::text);
  }

  /** @return the rules of one DataNode in words, line by line. */
  static List<String> text(String dataNode, JsonNode view) {
    List<String> lines = new ArrayList<>();
    String file = view.path("file").asText();
    boolean none = file.isEmpty() && view.path("rules").isEmpty();
    lines.add(dataNode + ": " + (none ? "no rules" : (file.isEmpty() ? "no file" : file) + "; "
        + Text.count(view.path("blocks").asLong(), "block") + " on its paths"));
    view.path("rules").forEach(rule -> lines.add("  " + rule.path("name").asText()
        + ", " + rule.path("action").asText() + ": "
        + Text.count(rule.path("pages").asLong(), "page") + ", "
        + Sizes.text(rule.path("bytes").asLong())
        + (rule.hasNonNull("quota") ? " of " + Sizes.text(rule.path("quota").asLong()) : "")
        + "; " + Text.count(rule.path("reads").asLong(), "read") + ", "
        + rule.path("hits").asLong() + " hit; " + rule.path("rejected").asLong() + " rejected, "
        + rule.path("evicted").asLong() + " evicted"));
    return lines;
  }
}
