/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends a pin. */
@Command(name = "unpin", description = "Ends the pin of a path. The path need not exist any more.")
final class Unpin extends AskEach {
  @Parameters(index = "0", paramLabel = "PATH", description = "An absolute path.")
  private String path;

  Unpin(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    return ask(Map.of("command", "unpin", "path", Pin.path(this, path)), "unpinned",
        (dataNode, pin) -> List.of(dataNode + ": " + text(pin)));
  }

  /** @return what was pinned, on one line. */
  static String text(JsonNode pin) {
    return pin.path("path").asText() + " is no longer pinned; its "
        + Text.count(pin.path("pages").asLong(), "page") + " of "
        + Text.bytes(pin.path("bytes").asLong()) + " may leave when others need the room";
  }
}
