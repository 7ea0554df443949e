/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a setting of DataNodes, until they restart or for good. */
@Command(name = "set", description = "Changes the capacity, the write budget, the threshold or the "
    + "window.")
final class SetValue extends AskEach {
  @Parameters(index = "0", paramLabel = "KEY", description = {
      "capacity, write.budget, threshold or window;", "or the complete key of the configuration."})
  private String key;

  @Parameters(index = "1", arity = "0..1", paramLabel = "VALUE",
      description = "A value as in the configuration; none with --reset.")
  private String value;

  @Option(names = "--persist", description = "Keeps the value over restarts, until the "
      + "configured value changes (default: until the DataNode restarts).")
  private boolean persist;

  @Option(names = "--reset", description = "Puts what the configuration says in force, for good.")
  private boolean reset;

  SetValue(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    if (reset && persist) {
      throw wrong("either --persist or --reset");
    }
    if (reset && value != null) {
      // Without a value, the first DataNode is in its place.
      addTarget(value);
    } else if (!reset && value == null) {
      throw wrong("expected VALUE");
    }
    // Which keys and values there are is for the DataNode to know, which may be of another version.
    Map<String, ?> command = reset ? Map.of("command", "reset", "key", key)
        : Map.of("command", "set", "key", key, "value", value, "persist", persist);
    return ask(command, "change", (dataNode, change) -> List.of(dataNode + ": " + text(change)));
  }

  /** @return what was changed, on one line. */
  private String text(JsonNode change) {
    String note = change.path("note").asText();
    String after = change.path("after").asText();
    return change.path("key").asText() + " = " + after + " (was "
        + change.path("before").asText() + ")" + (reset ? ", as configured" : Text.lasting(after, change))
        + (note.isEmpty() ? "" : "; " + note);
  }
}
