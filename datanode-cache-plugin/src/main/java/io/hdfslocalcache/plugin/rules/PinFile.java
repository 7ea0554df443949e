/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What is in the file that keeps pins: rules, as {@link RuleParser} reads them. */
final class PinFile {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private PinFile() {
  }

  /**
   * Reads the pins.
   *
   * @param json what is in the file; null: there is none
   * @throws BadRulesException if it is no file of pins
   */
  static List<Rule> read(byte[] json, Path file) throws BadRulesException {
    List<Rule> pins = new ArrayList<>();
    if (json != null) {
      RuleSet set = RuleParser.parse(file.toString(), json);
      for (int i = 0; i < set.size(); i++) {
        Rule rule = set.get(i);
        if (rule.action() != RuleAction.PIN || !rule.isForPathsOnly() || rule.parent() != null
            || rule.paths().size() != 1) {
          throw new BadRulesException(file.toString(),
              "has a rule that no pin command made: " + rule.name(), null);
        }
        pins.add(rule);
      }
    }
    return pins;
  }

  /** @return the pins as a file. */
  static byte[] write(List<Rule> pins) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    document.put("comment", "written by hdfs localcache pin and unpin");
    ArrayNode rules = document.putArray("rules");
    pins.forEach(pin -> rules.addObject().put("name", pin.name()).put("path", pin.paths().get(0))
        .put("action", "pin").put("quota", pin.quota()));
    return JSON.writeValueAsBytes(document);
  }
}
