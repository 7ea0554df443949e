/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code on} and {@code off}: what {@code dfsadmin -setLocalCache} does, or for good. */
@Command(description = "Switches the local cache ${COMMAND-NAME} until the DataNode restarts, or with "
        + "--persist for good.")
final class SwitchTo extends AskEach {
  private static final String PERSIST = "persist";
  /** How a DataNode says that its configuration has something else. */
  private static final String FOR_NOW = "(until the DataNode restarts)";

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

  /** @return state and note by the names that they have in the status. */
  private static JsonNode document(String answer) {
    int end = (answer + " ").indexOf(' ');
    return Session.object().put("on", answer.substring(0, end).equals("on"))
        .put("note", answer.substring(end).strip());
  }

  private List<String> text(String dataNode, JsonNode state) {
    boolean isForNow = state.path("note").asText().equals(FOR_NOW);
    return List.of(dataNode + ": " + Status.state(state)
        + (isForNow ? "; --persist keeps it " + spec.name() : ""));
  }

  /** Prints whether the local caches of DataNodes are on. @return the exit code */
  static int get(Session session, List<String> targets) throws IOException {
    return ask(session, targets, dataNode -> session.client().ask(dataNode, "get"));
  }

  /** Switches the local caches of DataNodes, and prints what they are now. @return the exit code */
  static int set(Session session, String wanted, List<String> targets) throws IOException {
    return ask(session, targets, dataNode -> set(session, dataNode, wanted));
  }

  private static int ask(Session session, List<String> targets, FanOut.Question<String> question)
      throws IOException {
    return session.ask(session.dataNodes().named(targets), question,
        answer -> session.out().println(answer.dataNode() + ": " + answer.value()));
  }

  /**
   * The answer is the state after the call, which may not be what was asked for.
   *
   * @param how nothing, or {@link #PERSIST}
   */
  private static String set(Session session, String dataNode, String wanted, String... how)
      throws IOException {
    String answer = session.client().ask(dataNode,
        Stream.concat(Stream.of("set", wanted), Stream.of(how)).toArray(String[]::new));
    if (!answer.equals(wanted) && !answer.startsWith(wanted + " ")) {
      throw new IOException("was asked to switch the local cache " + wanted
          + ", but answers: " + answer);
    }
    return answer;
  }
}
