/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.Test;

/** Rules as JSON: what they mean, and where a mistake is. */
public class TestRuleParser {

  private static RuleSet parse(String json) throws BadRulesException {
    return RuleParser.parse("rules.json", json.getBytes(StandardCharsets.UTF_8));
  }

  /** Quotes are written as apostrophes. */
  private static String refusal(String... lines) {
    String json = String.join("\n", lines).replace('\'', '"');
    BadRulesException refusal = assertThrows(BadRulesException.class, () -> parse(json));
    assertTrue(refusal.getMessage(), refusal.getMessage().startsWith("rules.json:"));
    assertTrue(refusal.getMessage(), !refusal.getMessage().contains("\n"));
    return refusal.getMessage().substring("rules.json:".length());
  }

  private static void assertRefused(String place, String what, String... lines) {
    String refusal = refusal(lines);
    assertTrue(refusal, refusal.startsWith(place + ": "));
    assertTrue(refusal, refusal.contains(what));
  }

  private static String rule(String fields) {
    return "{'rules': [{" + fields + "}]}";
  }

  @Test
  public void parse_allFields_areTaken() throws Exception {
    RuleSet set = parse("""
        {
          "comment": "of the warehouse",
          "rules": [
            {"name": "scans", "client": ["DFSClient_attempt_*", "distcp?"], "action": "never"},
            {"name": "dim", "parent": "all", "path": "/warehouse/dim_*", "action": "pin",
             "quota": "200g", "comment": "small and hot"},
            {"name": "etl", "path": "/warehouse", "user": "etl", "action": "always", "quota": 4096},
            {"name": "all", "quota": "1t"}
          ]
        }""");
    assertEquals(4, set.size());
    assertEquals(new Rule("scans", null, RuleAction.NEVER, Rule.NO_QUOTA, List.of(),
        List.of("DFSClient_attempt_*", "distcp?"), List.of()), set.get(0));
    assertEquals(new Rule("dim", "all", RuleAction.PIN, 200L << 30, List.of("/warehouse/dim_*"),
        List.of(), List.of()), set.get(1));
    assertEquals(new Rule("etl", null, RuleAction.ALWAYS, 4096, List.of("/warehouse"), List.of(),
        List.of("etl")), set.get(2));
    assertTrue(set.get(3).isGroup());
    assertTrue(set.asksForUser());
  }

  @Test
  public void parse_noRules_isAllowed() throws Exception {
    assertEquals(0, parse("{\"rules\": []}").size());
  }

  @Test
  public void parse_brokenJson_namesThePlace() {
    assertRefused("3:1", "", "{'rules': [", " {'name': 'a',", "}]}");
    assertRefused("2:9", "uplicate", "{'rules': [],", " 'rules': []}");
    assertTrue(refusal("").matches("1:[01]: .*"));
  }

  @Test
  public void parse_unknownField_namesIt() {
    assertRefused("2:2", "unknown field rule,", "{", " 'rule': []}");
    assertRefused("2:20", "unknown field paths,", "{'rules': [", "  {'name': 'a',    'paths': '/'}]}");
  }

  @Test
  public void parse_wrongValue_saysWhatIsAllowed() {
    assertRefused("2:11", "never, normal, always or pin, not often", "{'rules': [{'name': 'a',",
        "'action': 'often', 'path': '/a'}]}");
    assertRefused("1:49", "number of bytes", rule("'name': 'a', 'path': '/a', 'quota': 'much'"));
    assertRefused("1:49", "more than 0", rule("'name': 'a', 'path': '/a', 'quota': '0'"));
    assertRefused("1:34", "absolute", rule("'name': 'a', 'path': 'a'"));
    assertRefused("1:34", "not a path pattern", rule("'name': 'a', 'path': '/a[{'"));
    assertRefused("1:21", "letters", rule("'name': 'a b'"));
    assertRefused("1:36", "must be a string", rule("'name': 'a', 'client': 3"));
  }

  /** The message goes to the log, and to the operator whose command it refuses. */
  @Test
  public void parse_lineBreaksAndLength_areNotInTheMessage() {
    for (String fields : List.of("'name': 'a', 'client\\nWARN forged': 'b'",
        "'name': 'a', 'action': '\\u2028forged'",
        "'name': 'a', 'parent': '" + "x".repeat(1 << 16) + "'")) {
      String message = refusal(rule(fields));
      assertTrue(message, message.length() < 500 && !message.contains("\u2028"));
    }
  }

  @Test
  public void parse_missingField_namesTheRule() {
    assertRefused("1:12", "no name", rule("'path': '/a', 'action': 'never'"));
    assertRefused("1:12", "rule a has no action", rule("'name': 'a', 'path': '/a'"));
    assertRefused("1:40", "pin needs a quota", rule("'name': 'a', 'path': '/a', 'action': 'pin'"));
    assertRefused("1:26", "for no read", rule("'name': 'a', 'action': 'never'"));
    assertRefused("1:59", "no use for a quota",
        rule("'name': 'a', 'path': '/a', 'action': 'never', 'quota': 1"));
  }

  @Test
  public void parse_parents_mustExistAndEndSomewhere() {
    assertRefused("1:26", "no rule b", rule("'name': 'a', 'parent': 'b'"));
    assertRefused("2:15", "its own parent", "{'rules': [",
        " {'name':'a', 'parent': 'b'},", " {'name':'b', 'parent': 'a'}]}");
    assertRefused("2:28", "larger than that of its parent", "{'rules': [",
        " {'name':'a', 'quota': 10, 'parent': 'b'},", " {'name':'b', 'quota': 5}]}");
    assertRefused("2:10", "two rules of the name a", "{'rules': [{'name': 'a'},",
        "{'name': 'a'}]}");
  }

  @Test
  public void parse_moreRulesThanPossible_isRefused() {
    StringBuilder json = new StringBuilder("{'rules': [");
    for (int i = 0; i <= RuleSet.MOST; i++) {
      json.append(i == 0 ? "" : ",\n").append("{'name': 'r").append(i).append("'}");
    }
    assertRefused("65:1", "more than 64", json + "]}");
  }
}
