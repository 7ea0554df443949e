/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;
import java.util.function.BiFunction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Asks DataNodes the same, and prints what each answers: for people, or all in one document. */
final class AskEach {

  private final Session session;
  private final List<String> command;
  private final String field;
  private final BiFunction<String, JsonNode, List<String>> text;

  /**
   * A question.
   *
   * @param command what is asked
   * @param field name of the answer in the document
   * @param text makes lines for people of a DataNode's address and its answer
   */
  AskEach(Session session, List<String> command, String field,
      BiFunction<String, JsonNode, List<String>> text) {
    this.session = session;
    this.command = command;
    this.field = field;
    this.text = text;
  }

  /**
   * Asks.
   *
   * @param targets the DataNodes as the user named them
   * @param json whether one document is printed
   * @return the exit code
   */
  int run(List<String> targets, boolean json) throws UsageException {
    List<String> dataNodes = session.dataNodes().named(targets);
    if (dataNodes == null) {
      return LocalCacheAdmin.FAILED;
    }
    ObjectNode document = Session.object();
    ArrayNode all = document.putArray("dataNodes");
    boolean[] failed = {false};
    FanOut.ask(dataNodes, dn -> session.client().askJson(dn, command), answer -> {
      failed[0] |= answer.failed();
      if (json) {
        add(all.addObject().put("dataNode", answer.dataNode()), answer);
      } else if (answer.failed()) {
        session.err().println(answer.dataNode() + ": " + answer.failure());
      } else {
        text.apply(answer.dataNode(), answer.value()).forEach(session.out()::println);
      }
    });
    if (json) {
      session.print(document);
    }
    return failed[0] ? LocalCacheAdmin.FAILED : LocalCacheAdmin.DONE;
  }

  private void add(ObjectNode to, Answer<JsonNode> answer) {
    if (answer.failed()) {
      to.put("error", answer.failure());
    } else {
      to.set(field, answer.value());
    }
  }
}
