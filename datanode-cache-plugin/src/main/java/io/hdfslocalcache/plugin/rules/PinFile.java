/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.ssd.KeptFile;

/** The file that keeps pins over a restart: a file of rules, as {@link RuleParser} reads it. */
record PinFile(KeptFile file) {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * Reads the pins.
   *
   * @return none if there is no file
   * @throws IOException if it cannot be read, or is no file of pins, or its SSD is not there
   */
  List<Rule> read() throws IOException {
    byte[] json = file.read();
    List<Rule> pins = new ArrayList<>();
    if (json != null) {
      String path = file.path().toString();
      RuleSet set = RuleParser.parse(path, json);
      for (int i = 0; i < set.size(); i++) {
        Rule rule = set.get(i);
        if (rule.action() != RuleAction.PIN || !rule.isForPathsOnly() || rule.parent() != null
            || rule.paths().size() != 1) {
          throw new BadRulesException(
              path, "has a rule that no pin command made: " + rule.name(), null);
        }
        pins.add(rule);
      }
    }
    return pins;
  }

  /** Writes the pins: all of them are in the file afterwards, or those of before. */
  void write(List<Rule> pins) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    document.put("comment", "written by hdfs localcache pin and unpin");
    ArrayNode rules = document.putArray("rules");
    pins.forEach(pin -> rules.addObject().put("name", pin.name()).put("path", pin.paths().get(0))
        .put("action", "pin").put("quota", pin.quota()));
    file.write(JSON.writeValueAsBytes(document));
  }
}
