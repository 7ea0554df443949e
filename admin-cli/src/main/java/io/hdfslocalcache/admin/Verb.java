/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A verb of {@code hdfs localcache}. Its arguments are in its fields when it runs. */
abstract class Verb {
  static final String JSON = "Prints one JSON document instead of text.";
  static final String MAX_BLOCKS =
      "Does nothing for a path with more than N blocks (default: ${DEFAULT-VALUE}).";

  final Session session;

  @Spec
  CommandSpec spec;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help.")
  private boolean help;

  Verb(Session session) {
    this.session = session;
  }

  /**
   * Runs the verb.
   *
   * @return the exit code, {@link Session#DONE} or {@link Session#FAILED}
   * @throws IOException when nothing could be done; the message is for the user
   * @throws ParameterException when the arguments are wrong; nothing was done then
   */
  abstract int run() throws IOException;

  /** @return the exception for wrong arguments. */
  final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Refuses a number that is too small or too large. */
  final void check(String option, int number, int max) {
    if (number < 1 || number > max) {
      throw wrong(option + " must be a number from 1 to " + max + ", got: " + number);
    }
  }

  /** Refuses a path that is not absolute. */
  final void checkPath(String path) {
    if (!FileBlocks.isPath(path) || !isValid(path)) {
      throw wrong("expected an absolute path, got: " + path);
    }
  }

  /** @return false if what comes before :// is not the name of a file system. */
  private static boolean isValid(String path) {
    try {
      new Path(path);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * A verb that sends DataNodes the same command, and prints the answers as text or as one
   * document.
   */
  static abstract class AskEach extends Verb {

    @Option(names = "--json", description = JSON)
    boolean json;

    /** The plus puts it behind the verb's own arguments. */
    @Parameters(index = "+", arity = "0..*", paramLabel = DataNodes.LABEL,
        description = DataNodes.DESCRIPTION + " (default: livenodes).")
    private List<String> targets = List.of();

    AskEach(Session session) {
      super(session);
    }

    /** Adds a DataNode before the others. */
    final void addTarget(String target) {
      List<String> more = new ArrayList<>(List.of(target));
      more.addAll(targets);
      targets = more;
    }

    /** @return {@code host:ipc_port} of each named DataNode. */
    final List<String> dataNodes() throws IOException {
      return session.dataNodes().named(targets);
    }

    /** @return the same; by default, the live ones of the name service that has a path. */
    final List<String> dataNodes(String path) throws IOException {
      return new DataNodes(DataNodes.at(session.conf(), path)).named(targets);
    }

    /** @return whether the user named DataNodes, or {@code livenodes}. */
    final boolean namesDataNodes() {
      return !targets.isEmpty();
    }

    /**
     * Asks a DataNode until it has looked up the blocks of rules, or time is up.
     *
     * @return the last answer
     */
    static JsonNode askUntilLookedUp(String dataNode, FanOut.Question<JsonNode> question,
        Duration patience) throws IOException {
      long begin = System.nanoTime();
      while (true) {
        JsonNode answer = question.ask(dataNode);
        if (answer.path("lookedUp").asBoolean()
            || System.nanoTime() - begin >= patience.toNanos()) {
          return answer;
        }
        Session.pause();
      }
    }

    /**
     * Sends one command, which may wait for SSDs, to all of them.
     *
     * @param field name of the answer in the document
     * @param text formats a DataNode's address and its answer as lines
     * @return the exit code
     */
    final int ask(Map<String, ?> command, String field,
        BiFunction<String, JsonNode, List<String>> text) throws IOException {
      return ask(dataNodes(), command, field, text);
    }

    /** The same for some DataNodes. */
    final int ask(List<String> dataNodes, Map<String, ?> command, String field,
        BiFunction<String, JsonNode, List<String>> text) {
      return ask(dataNodes, dn -> session.client().forSsds().askJson(dn, command), text,
          (document, answer) -> document.set(field, answer.value()));
    }

    /**
     * Asks DataNodes.
     *
     * @param text formats a DataNode's address and its answer as lines
     * @param add puts an answer into the part of the document that is the DataNode's
     * @return the exit code
     */
    final int ask(List<String> dataNodes, FanOut.Question<JsonNode> question,
        BiFunction<String, JsonNode, List<String>> text,
        BiConsumer<ObjectNode, FanOut.Answer<JsonNode>> add) {
      if (!json) {
        return session.ask(dataNodes, question, answer ->
            text.apply(answer.dataNode(), answer.value()).forEach(session::say));
      }
      ObjectNode document = Session.object();
      ArrayNode all = document.putArray("dataNodes");
      boolean answered = FanOut.ask(dataNodes, question, answer -> {
        ObjectNode one = all.addObject().put("dataNode", answer.dataNode());
        if (answer.failed()) {
          one.put("error", answer.failure());
        } else {
          add.accept(one, answer);
        }
      });
      session.print(document);
      return answered ? Session.DONE : Session.FAILED;
    }
  }
}
