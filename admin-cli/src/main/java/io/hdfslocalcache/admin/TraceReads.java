/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.plugin.config.Sizes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Begins and ends the trace of the reads of DataNodes, and tells how it is. */
@Command(name = "trace",
    description = "Records all client reads, for simulation and sizing.")
final class TraceReads extends AskEach {
  private static final Set<String> ACTIONS = Set.of("start", "stop", "status");

  @Parameters(index = "0", paramLabel = "start|stop|status", description = "start: each DataNode "
      + "writes a trace of its own, until stop or its restart. status: shows the size of the traces.")
  private String action;

  @Option(names = "--sample", paramLabel = "SHARE", description = "start: traces the reads of this "
      + "share of the blocks, such as 0.1 (default: of all).")
  private String sample;

  @Option(names = "--anonymous", description = "start: gives block pools, blocks and clients other "
      + "names, the same ones until stop.")
  private boolean anonymous;

  TraceReads(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    if (!ACTIONS.contains(action)) {
      throw wrong("expected start, stop or status");
    }
    if (!action.equals("start") && (sample != null || anonymous)) {
      throw wrong("--sample and --anonymous need start");
    }
    if (sample != null && !isShare(sample)) {
      throw wrong("--sample must be a number above 0, at most 1, got: " + sample);
    }
    return ask(command(), "trace", (dataNode, trace) -> List.of(dataNode + ": " + text(trace)));
  }

  private static boolean isShare(String text) {
    try {
      double share = Double.parseDouble(text);
      return share > 0 && share <= 1;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private Map<String, ?> command() {
    Map<String, Object> command = new HashMap<>(Map.of("command", "trace", "action", action));
    if (action.equals("start")) {
      command.put("anonymous", anonymous);
      command.put("sample", sample == null ? 1 : Double.parseDouble(sample));
    }
    return command;
  }

  /** @return the state of one trace in words. */
  static String text(JsonNode trace) {
    String error = trace.path("error").asText();
    return (trace.path("on").asBoolean() ? "tracing to " : "not tracing; directory ")
        + trace.path("directory").asText() + ", " + Sizes.text(trace.path("bytes").asLong())
        + "; " + Text.count(trace.path("reads").asLong(), "read") + " traced, "
        + trace.path("dropped").asLong() + " dropped"
        + (error.isEmpty() ? "" : "; ended by itself: " + error);
  }
}
