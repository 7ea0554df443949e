/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/** Begins and ends the trace of the reads of DataNodes, and tells how it is. */
final class Trace implements Verb {
  private static final Set<String> ACTIONS = Set.of("start", "stop", "status");

  private final Session session;

  Trace(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "trace";
  }

  @Override
  public String usage() {
    return "trace start|stop|status [--json] " + DataNodes.USAGE_MANY;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options = Options.parse(args, Set.of("--json"), Set.of());
    List<String> rest = options.rest();
    if (rest.isEmpty() || !ACTIONS.contains(rest.get(0))) {
      throw new UsageException("expected start, stop or status");
    }
    return new AskEach(session, List.of("trace", rest.get(0)), "trace",
        (dataNode, trace) -> List.of(dataNode + ": " + text(trace)))
        .run(rest.subList(1, rest.size()), options.has("--json"));
  }

  /** Returns the state of one trace in words. */
  static String text(JsonNode trace) {
    String error = trace.path("error").asText();
    return (trace.path("on").asBoolean() ? "tracing to " : "not tracing; directory ")
        + trace.path("directory").asText() + ", " + Text.bytes(trace.path("bytes").asLong())
        + "; " + Text.count(trace.path("reads").asLong(), "read") + " traced, "
        + trace.path("dropped").asLong() + " dropped"
        + (error.isEmpty() ? "" : "; ended by itself: " + error);
  }
}
