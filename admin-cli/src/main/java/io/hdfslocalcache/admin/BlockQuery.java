/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** Sends a command about many blocks to one DataNode, so many at a time as it takes. */
final class BlockQuery {
  /** What the plugin allows is 1000. */
  static final int AT_ONCE = 500;

  private BlockQuery() {}

  /**
   * Asks.
   *
   * @param word such as {@code block}
   * @param names the blocks, with their pools
   * @return the answers, one for each batch of blocks
   */
  static List<JsonNode> ask(DataNodeClient client, String dataNode, String word,
      List<String> names) throws IOException {
    List<JsonNode> answers = new ArrayList<>();
    for (int from = 0; from < names.size(); from += AT_ONCE) {
      List<String> command = new ArrayList<>(List.of(word));
      command.addAll(names.subList(from, Math.min(names.size(), from + AT_ONCE)));
      answers.add(client.askJson(dataNode, command));
    }
    return answers;
  }
}
