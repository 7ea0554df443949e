/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/** Changes a setting of DataNodes until they restart. */
final class SetValue implements Verb {
  private final Session session;

  SetValue(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "set";
  }

  @Override
  public String usage() {
    return "set [--json] <key> <value> " + DataNodes.USAGE_MANY;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options = Options.parse(args, Set.of("--json"), Set.of());
    List<String> rest = options.rest();
    if (rest.size() < 2) {
      throw new UsageException("expected a key and a value");
    }
    // Which keys and values there are is for the DataNode to know, which may be of another version.
    return new AskEach(session, List.of("set", rest.get(0), rest.get(1)), "change",
        (dataNode, change) -> List.of(dataNode + ": " + text(change)))
        .run(rest.subList(2, rest.size()), options.has("--json"));
  }

  /** Returns what was changed, on one line. */
  static String text(JsonNode change) {
    String note = change.path("note").asText();
    return change.path("key").asText() + " = " + change.path("after").asText() + " (was "
        + change.path("before").asText() + ") until the DataNode restarts, configured is "
        + change.path("configured").asText() + (note.isEmpty() ? "" : "; " + note);
  }
}
