/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.admin.Verb.AskEach;
import io.hdfslocalcache.plugin.config.Sizes;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs that send one command to each DataNode and print the answers as they come. */
final class DataNodeVerbs {

  private DataNodeVerbs() {
  }

  /** Shows the rules by path and client and their usage, or reads the rules file again. */
  @Command(name = "rules",
      description = "Shows the rules by path, client and user, and their usage.")
  static final class Rules extends AskEach {
    private static final Duration LOOK_UP = Duration.ofSeconds(10);

    @Option(names = "--reload", description = "Reads the rules file again first.")
    private boolean reload;

    Rules(Session session) {
      super(session);
    }

    @Override
    int run() throws IOException {
      return ask(dataNodes(), this::rules, Rules::text,
          (document, answer) -> document.set("rules", answer.value()));
    }

    /** After a reload, waits a while for the blocks of the new rules. */
    private JsonNode rules(String dataNode) throws IOException {
      if (reload) {
        session.client().askJson(dataNode, Map.of("command", "rules", "reload", true));
      }
      return askUntilLookedUp(dataNode, dn -> session.client().askJson(dn, Map.of("command", "rules")),
          reload ? LOOK_UP : Duration.ZERO);
    }

    /** @return the namespaces that may have more blocks of the paths; empty if none. */
    static String notListed(JsonNode view) {
      List<String> namespaces = new ArrayList<>();
      view.path("notListed").forEach(one -> namespaces.add(one.asText()));
      return namespaces.isEmpty() ? ""
          : "; not all blocks of " + String.join(", ", namespaces) + " are known";
    }

    /** @return the rules of one DataNode in words, line by line. */
    static List<String> text(String dataNode, JsonNode view) {
      List<String> lines = new ArrayList<>();
      String file = view.path("file").asText();
      boolean none = file.isEmpty() && view.path("rules").isEmpty();
      lines.add(dataNode + ": " + (none ? "no rules" : (file.isEmpty() ? "no file" : file) + "; "
          + Text.count(view.path("blocks").asLong(), "block") + " on the paths of rules"
          + (view.path("lookedUp").asBoolean() ? "" : "; more are being looked up")
          + notListed(view)));
      if (!view.path("refusal").asText().isEmpty()) {
        lines.add("  the file is refused: " + view.path("refusal").asText() + "; in force are:");
      }
      if (!view.path("doubt").asText().isEmpty()) {
        lines.add("  " + view.path("doubt").asText());
      }
      view.path("rules").forEach(rule -> lines.add("  " + rule.path("name").asText()
          + path(view.path("pinned").path(rule.path("name").asText())) + ", "
          + rule.path("action").asText() + ": "
          + Text.count(rule.path("pages").asLong(), "page") + ", "
          + Sizes.text(rule.path("bytes").asLong())
          + (rule.hasNonNull("quota") ? " of " + Sizes.text(rule.path("quota").asLong()) : "")
          + "; " + Text.count(rule.path("reads").asLong(), "read") + ", "
          + rule.path("hits").asLong() + " hit; " + rule.path("rejected").asLong() + " rejected, "
          + rule.path("evicted").asLong() + " evicted"));
      return lines;
    }
  }

  private static String path(JsonNode pinned) {
    return pinned.isMissingNode() ? "" : " (" + pinned.asText() + ")";
  }

  /** Changes a setting of DataNodes, until they restart or for good. */
  @Command(name = "set", description = "Changes the capacity, the write budget, the threshold or the "
      + "window.")
  static final class SetValue extends AskEach {
    @Parameters(index = "0", paramLabel = "KEY", description = {
        "capacity, write.budget, threshold or window;", "or the complete key of the configuration."})
    private String key;

    @Parameters(index = "1", arity = "0..1", paramLabel = "VALUE",
        description = "A value as in the configuration; none with --reset.")
    private String value;

    @Option(names = "--persist", description = "Saves the value for restarts, until the "
        + "configured value changes (default: until the DataNode restarts).")
    private boolean persist;

    @Option(names = "--reset", description = "Returns to the configured value, for good.")
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
      } else if (!reset && (value == null || DataNodes.isTarget(value))) {
        throw wrong("expected VALUE" + (value == null ? "" : " before " + value));
      }
      // The DataNode checks keys and values, because it may have another version.
      Map<String, ?> command = reset ? Map.of("command", "reset", "key", key)
          : Map.of("command", "set", "key", key, "value", value, "persist", persist);
      return ask(command, "change", (dataNode, change) -> List.of(dataNode + ": " + text(change)));
    }

    /** @return the change, on one line. */
    private String text(JsonNode change) {
      String note = change.path("note").asText();
      String after = change.path("after").asText();
      return change.path("key").asText() + " = " + after + " (was "
          + change.path("before").asText() + ")"
          + (reset ? ", as configured" : Text.lasting(after, change))
          + (note.isEmpty() ? "" : "; " + note);
    }
  }

  /** {@code on} and {@code off}: like {@code dfsadmin -setLocalCache}, or permanently. */
  @Command(description = "Switches the local cache ${COMMAND-NAME} until the DataNode restarts, or with "
          + "--persist for good.")
  static final class SwitchTo extends AskEach {
    private static final String PERSIST = "persist";
    /** How a DataNode's answer begins if its configuration differs. */
    private static final String FOR_NOW = "(until the DataNode restarts";

    @Option(names = "--" + PERSIST, description = "Keeps the local cache ${COMMAND-NAME} over "
        + "restarts, until the configured value changes.")
    private boolean persist;

    SwitchTo(Session session) {
      super(session);
    }

    @Override
    int run() throws IOException {
      return ask(dataNodes(), dataNode -> document(switchOne(dataNode)),
          this::text, (document, answer) -> document.setAll((ObjectNode) answer.value()));
    }

    private String switchOne(String dataNode) throws IOException {
      return persist ? set(session, dataNode, spec.name(), PERSIST)
          : set(session, dataNode, spec.name());
    }

    /** @return state and note, named as in the status. */
    private static JsonNode document(String answer) {
      int end = (answer + " ").indexOf(' ');
      return Session.object().put("on", answer.substring(0, end).equals("on"))
          .put("note", answer.substring(end).strip());
    }

    private List<String> text(String dataNode, JsonNode state) {
      boolean isForNow = state.path("note").asText().startsWith(FOR_NOW);
      return List.of(dataNode + ": " + Status.state(state)
          + (isForNow ? "; --persist keeps it " + spec.name() : ""));
    }

    /** Prints whether the local caches of DataNodes are on. @return the exit code */
    static int get(Session session, List<String> targets) throws IOException {
      return ask(session, targets, dataNode -> session.client().ask(dataNode, "get"));
    }

    /** Switches the local caches of DataNodes, and prints their state. @return the exit code */
    static int set(Session session, String wanted, List<String> targets) throws IOException {
      return ask(session, targets, dataNode -> set(session, dataNode, wanted));
    }

    private static int ask(Session session, List<String> targets, FanOut.Question<String> question)
        throws IOException {
      return session.ask(session.dataNodes().named(targets), question,
          answer -> session.say(answer.dataNode() + ": " + answer.value()));
    }

    /**
     * The answer is the state after the call, which may differ from the requested one.
     *
     * @param how none, or {@link #PERSIST}
     */
    private static String set(Session session, String dataNode, String wanted, String... how)
        throws IOException {
      DataNodeClient client = session.client();
      String answer = (how.length == 0 ? client : client.forSsds()).ask(dataNode,
          Stream.concat(Stream.of("set", wanted), Stream.of(how)).toArray(String[]::new));
      if (!answer.equals(wanted) && !answer.startsWith(wanted + " ")) {
        throw new IOException("was asked to switch the local cache " + wanted
            + ", but answers: " + answer);
      }
      return answer;
    }
  }

  /** Keeps the pages of a path cached. */
  @Command(name = "pin",
      description = "Keeps the pages of a path cached, up to a quota on each DataNode.")
  static final class Pin extends AskEach {

    @Option(names = "--quota", paramLabel = "BYTES", defaultValue = "default", description =
        "Bytes for the pages on each DataNode, such as 200g (default: as before, or a tenth of its "
        + "capacity).")
    private String quota;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", description =
        "Waits this long for each DataNode to look up the blocks (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Parameters(index = "0", paramLabel = "PATH",
        description = "An absolute path without wildcards; includes everything below it.")
    private String given;

    Pin(Session session) {
      super(session);
    }

    @Override
    int run() throws IOException {
      if (!quota.matches("default|[0-9]+[kmgtKMGT]?")) {
        throw wrong("--quota must be a number of bytes such as 200g, got: " + quota);
      }
      String path = path(this, given);
      // The client may be configured to retry for long.
      List<String> dataNodes = FanOut.within(timeout, "NameNode", () -> {
        checkThere();
        return dataNodes(given);
      });
      Progress progress = new Progress(session.err(), dataNodes.size(), "DataNode");
      return ask(dataNodes, dn -> {
        try {
          JsonNode answer = pinAndWait(dn, path, progress);
          progress.add(1);
          return answer;
        } catch (IOException e) {
          progress.add(0, 1, 0);
          throw e;
        }
      }, (dn, answer) -> List.of(dn + ": " + text(answer)),
          (document, answer) -> document.setAll((ObjectNode) answer.value()));
    }

    /** Pinning a misspelt path would have no effect. */
    private void checkThere() throws IOException {
      try (DistributedFileSystem hdfs =
          DataNodes.connect(DataNodes.at(session.conf(), given))) {
        if (!hdfs.exists(new Path(given))) {
          throw new FileNotFoundException("no such file or directory");
        }
      } catch (IOException | IllegalArgumentException e) {
        // HDFS does not allow some names.
        throw new IOException(given + ": " + Failure.describe(e), e);
      }
    }

    /** @return a path without the name of a file system. */
    static String path(Verb verb, String path) {
      verb.checkPath(path);
      if (FileBlocks.hasWildcards(path)) {
        throw verb.wrong(FileBlocks.NO_WILDCARDS + ", got: " + path);
      }
      return new Path(path).toUri().getPath();
    }

    /**
     * Pins, and waits until the DataNode has looked up the blocks of the path.
     *
     * @return the pin, which NameNodes did not list its blocks, why the DataNode does not fill it,
     *     whether a restart may not find it, and whether all pins have too much
     */
    private JsonNode pinAndWait(String dataNode, String path, Progress progress)
        throws IOException {
      session.client().forSsds()
          .askJson(dataNode, Map.of("command", "pin", "path", path, "quota", quota));
      JsonNode pins = askUntilLookedUp(dataNode, dn -> {
        progress.add(0);
        return session.client().askJson(dn, Map.of("command", "pins"));
      }, timeout);
      if (!pins.path("lookedUp").asBoolean()) {
        throw new IOException("is pinned, but the DataNode does not know the blocks of the path "
            + "yet; see its log for errors of the NameNode");
      }
      JsonNode pin = find(pins.path("pins"), path);
      if (pin.path("refused").asBoolean()) {
        throw new IOException("is pinned, but a NameNode did not list the path; see the DataNode's log"
            + Rules.notListed(pins));
      }
      return Session.object().<ObjectNode>set("pin", pin)
          .<ObjectNode>set("notListed", pins.path("notListed"))
          .<ObjectNode>set("notFilling", pins.path("notFilling"))
          .<ObjectNode>set("doubt", pins.path("doubt"))
          .set("tooMuch", pins.path("tooMuch"));
    }

    private static JsonNode find(JsonNode pins, String path) throws IOException {
      for (JsonNode pin : pins) {
        if (pin.path("path").asText().equals(path)) {
          return pin;
        }
      }
      throw new IOException("was unpinned by somebody else meanwhile");
    }

    /** @return a pin of one DataNode, on one line. */
    static String text(JsonNode answer) {
      JsonNode pin = answer.path("pin");
      long quota = pin.path("quota").asLong();
      long needed = pin.path("neededBytes").asLong();
      // Also if all pages are cached: those of an SSD that is DOWN are not served.
      String notFilling = needed > 0 ? answer.path("notFilling").asText() : "";
      String tooMuch = answer.path("tooMuch").asText();
      String doubt = answer.path("doubt").asText();
      return pin.path("path").asText() + " is pinned, quota " + Sizes.text(quota, needed) + "; "
          + Text.count(pin.path("pages").asLong(), "page") + " cached, "
          + Sizes.text(pin.path("bytes").asLong()) + " of " + Sizes.text(needed, quota)
          + " for " + Text.count(pin.path("replicas").asLong(), "replica") + (needed > quota
              ? "; more than the quota: once that is full, its pages evict each other, and wear the SSD"
              : "")
          + Rules.notListed(answer)
          + (tooMuch.isEmpty() ? "" : "; " + tooMuch)
          + (doubt.isEmpty() ? "" : "; " + doubt)
          + (notFilling.isEmpty() ? "" : "; not filling: " + notFilling);
    }

    /** Ends a pin. */
    @Command(name = "unpin", description = "Ends the pin of a path. The path need not exist any more.")
    static final class Unpin extends AskEach {
      @Parameters(index = "0", paramLabel = "PATH", description = "An absolute path.")
      private String path;

      Unpin(Session session) {
        super(session);
      }

      @Override
      int run() throws IOException {
        Map<String, ?> command = Map.of("command", "unpin", "path", Pin.path(this, path));
        return ask(dataNodes(path), command, "unpinned",
            (dataNode, pin) -> List.of(dataNode + ": " + text(pin)));
      }

      /** @return the former pin, on one line. */
      static String text(JsonNode pin) {
        return pin.path("path").asText() + " is no longer pinned; its "
            + Text.count(pin.path("pages").asLong(), "page") + ", "
            + Sizes.text(pin.path("bytes").asLong()) + ", can be evicted now";
      }
    }
  }

  /** Adds, drains, removes or replaces an SSD of DataNodes. */
  @Command(name = "ssd", description = "Adds, drains, removes or replaces an SSD.")
  static final class Ssd extends Verb {
    private static final Set<String> ACTIONS = Set.of("add", "drain", "remove", "replace");

    @Parameters(index = "0", paramLabel = "add|drain|remove|replace", description = {
        "add: starts using a new SSD, or one that was drained.",
        "drain: adds no more pages to the SSD, and evicts its pages within ten minutes.",
        "remove: closes all files on the SSD; page files stay.",
        "replace: uses the file system that is now mounted at the same path."})
    private String action;

    private String path;

    /** No default: an SSD belongs to one host, so few hosts are meant. */
    @Parameters(index = "2..*", arity = "1..*", paramLabel = DataNodes.LABEL,
        description = DataNodes.DESCRIPTION + ".")
    private List<String> targets;

    Ssd(Session session) {
      super(session);
    }

    /** Before the DataNodes are missed: one may be in its place. */
    @Parameters(index = "1", paramLabel = "PATH", description = "The directory on the SSD.")
    private void setPath(String given) {
      checkPath(given);
      path = given;
    }

    @Override
    int run() throws IOException {
      if (!ACTIONS.contains(action)) {
        throw wrong("expected add, drain, remove or replace");
      }
      Map<String, ?> command = Map.of("command", "ssd", "action", action, "directory", path);
      return session.ask(session.dataNodes().named(targets),
          dataNode -> session.client().forSsds().askJson(dataNode, command),
          answer -> session.say(answer.dataNode() + ": " + text(answer.value())));
    }

    /** @return the result, on one line. */
    private static String text(JsonNode done) {
      return done.path("directory").asText() + " " + done.path("done").asText();
    }
  }

  /** Starts and stops the trace of DataNodes' reads, and shows its state. */
  @Command(name = "trace",
      description = "Records all client reads, for simulation and sizing.")
  static final class TraceReads extends AskEach {
    private static final Set<String> ACTIONS = Set.of("start", "stop", "status");

    @Parameters(index = "0", paramLabel = "start|stop|status", description = "start: each DataNode "
        + "writes its own trace, until stop or its restart. status: shows the size of the traces.")
    private String action;

    @Option(names = "--sample", paramLabel = "SHARE", description = "start: traces the reads of this "
        + "share of the blocks, such as 0.1 (default: of all).")
    private String sample;

    @Option(names = "--anonymous", description = "start: replaces the names of block pools, blocks "
        + "and clients, consistently until stop.")
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
          + (error.isEmpty() ? "" : "; stopped because of an error: " + error);
    }
  }
}
