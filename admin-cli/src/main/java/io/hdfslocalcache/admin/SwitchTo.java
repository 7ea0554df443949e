/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;

/** {@code on} and {@code off}: what {@code dfsadmin -setLocalCache} does. */
@Command(description = "Switches the local cache ${COMMAND-NAME} until the DataNode restarts, as "
    + "hdfs dfsadmin -setLocalCache ${COMMAND-NAME} does.")
final class SwitchTo extends AskEach {
  SwitchTo(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    return ask(dataNodes(), dataNode -> document(set(session, dataNode, spec.name())),
        SwitchTo::text, (document, answer) -> document.setAll((ObjectNode) answer.value()));
  }

  /** @return state and note by the names that they have in the status. */
  private static JsonNode document(String answer) {
    int end = (answer + " ").indexOf(' ');
    return Session.object().put("on", answer.substring(0, end).equals("on"))
        .put("note", answer.substring(end).strip());
  }

  private static List<String> text(String dataNode, JsonNode state) {
    return List.of(dataNode + ": " + Status.state(state));
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

  /** The answer is the state after the call, which may not be what was asked for. */
  private static String set(Session session, String dataNode, String wanted) throws IOException {
    String answer = session.client().ask(dataNode, "set", wanted);
    if (!answer.equals(wanted) && !answer.startsWith(wanted + " ")) {
      throw new IOException("was asked to switch the local cache " + wanted
          + ", but answers: " + answer);
    }
    return answer;
  }
}
