/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/** Ends a pin. The path need not exist any more. */
final class Unpin implements Verb {
  private final Session session;

  Unpin(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "unpin";
  }

  @Override
  public String usage() {
    return "unpin [--json] <path> " + DataNodes.USAGE_MANY;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options = Options.parse(args, Set.of("--json"), Set.of());
    String path = Pin.path(options.rest());
    return new AskEach(session, List.of("unpin", path), "unpinned",
        (dataNode, pin) -> List.of(dataNode + ": " + text(pin)))
        .run(options.rest().subList(1, options.rest().size()), options.has("--json"));
  }

  /** Returns what was pinned, on one line. */
  static String text(JsonNode pin) {
    return pin.path("path").asText() + " is no longer pinned; its "
        + Text.count(pin.path("pages").asLong(), "page") + " of "
        + Text.bytes(pin.path("bytes").asLong()) + " may leave when others need the room";
  }
}
