/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Changes a setting of DataNodes until they restart. */
@Command(name = "set", description = "Changes the capacity, the write budget, the threshold or the "
    + "window, until the DataNode restarts.")
final class SetValue extends AskEach {
  @Parameters(index = "0", paramLabel = "KEY", description = {
      "capacity, write.budget, threshold or window;", "or the complete key of the configuration."})
  private String key;

  @Parameters(index = "1", paramLabel = "VALUE", description = "A value as in the configuration.")
  private String value;

  SetValue(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    // Which keys and values there are is for the DataNode to know, which may be of another version.
    return ask(List.of("set", key, value), "change",
        (dataNode, change) -> List.of(dataNode + ": " + text(change)));
  }

  /** @return what was changed, on one line. */
  static String text(JsonNode change) {
    String note = change.path("note").asText();
    return change.path("key").asText() + " = " + change.path("after").asText() + " (was "
        + change.path("before").asText() + ") until the DataNode restarts, configured is "
        + change.path("configured").asText() + (note.isEmpty() ? "" : "; " + note);
  }
}
