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

/** Rules as JSON: what they mean, and in which line a mistake is. */
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
            {"name": "dim", "path": "/warehouse/dim_*", "action": "pin",
             "quota": "200g", "comment": "small and hot"},
            {"name": "etl", "path": "/warehouse", "user": "etl", "action": "always", "quota": 4096}
          ]
        }""");
    assertEquals(3, set.size());
    assertEquals(new Rule("scans", RuleAction.NEVER, Rule.NO_QUOTA, List.of(),
        List.of("DFSClient_attempt_*", "distcp?"), List.of()), set.get(0));
    assertEquals(new Rule("dim", RuleAction.PIN, 200L << 30, List.of("/warehouse/dim_*"),
        List.of(), List.of()), set.get(1));
    assertEquals(new Rule("etl", RuleAction.ALWAYS, 4096, List.of("/warehouse"), List.of(),
        List.of("etl")), set.get(2));
    assertTrue(set.asksForUser());
  }

  @Test
  public void parse_noRules_isAllowed() throws Exception {
    assertEquals(0, parse("{\"rules\": []}").size());
  }

  @Test
  public void parse_brokenJson_namesTheLine() {
    assertRefused("3", "", "{'rules': [", " {'name': 'a',", "}]}");
    assertRefused("2", "uplicate", "{'rules': [],", " 'rules': []}");
    assertRefused("2", "uplicate", "{'rules': [", " {'name': 'a', 'name': 'a'}]}");
    assertEquals("2: Unexpected end-of-input: expected close marker for Array",
        refusal("{'rules': [", ""));
    assertTrue(refusal("").startsWith("1: "));
    assertRefused("1", "object", "[]");
    assertRefused("1", "must be an array", "{'rules': {}}");
    assertRefused("1", "rules is missing", "{'comment': 'x'}");
  }

  @Test
  public void parse_unknownField_namesIt() {
    assertRefused("2", "unknown field rule,", "{", " 'rule': []}");
    for (String field : List.of("paths", "parent")) {
      assertRefused("2", "unknown field " + field + ",",
          "{'rules': [", "  {'name': 'a', '" + field + "': '/'}]}");
    }
  }

  /** The line is that at which the rule begins. */
  @Test
  public void parse_wrongValue_saysWhatIsAllowed() {
    assertRefused("2", "never, normal, always or pin, not often", "{'rules': [",
        "{'name': 'a',", "'action': 'often', 'path': '/a'}]}");
    String start = "'name': 'a', 'action': 'always', ";
    assertRefused("1", "number of bytes", rule(start + "'path': '/a', 'quota': 'much'"));
    assertRefused("1", "more than 0", rule(start + "'path': '/a', 'quota': '0'"));
    assertRefused("1", "absolute", rule(start + "'path': 'a'"));
    assertRefused("1", "not a path pattern", rule(start + "'path': '/a[{'"));
    assertRefused("1", "letters", rule("'name': 'a b'"));
    assertRefused("1", "must be a string", rule(start + "'client': 3"));
    assertRefused("1", "must not be empty", rule(start + "'client': []"));
  }

  /** The message goes to the log, and to the operator whose command it refuses. */
  @Test
  public void parse_lineBreaksAndLength_areNotInTheMessage() {
    for (String fields : List.of("'name': 'a', 'client\\nWARN forged': 'b'",
        "'name': 'a', 'action': '\\u2028forged'",
        "'name': 'a', 'action': '" + "x".repeat(1 << 16) + "'")) {
      String message = refusal(rule(fields));
      assertTrue(message, message.length() < 500 && !message.contains("\u2028"));
    }
  }

  @Test
  public void parse_missingField_namesTheRule() {
    assertRefused("1", "no name", rule("'path': '/a', 'action': 'never'"));
    assertRefused("1", "rule a has no action", rule("'name': 'a', 'path': '/a'"));
    assertRefused("1", "pin needs a quota", rule("'name': 'a', 'path': '/a', 'action': 'pin'"));
    assertRefused("1", "matches no read", rule("'name': 'a', 'action': 'never'"));
    assertRefused("1", "must not have a quota",
        rule("'name': 'a', 'path': '/a', 'action': 'never', 'quota': 1"));
    assertRefused("2", "two rules have the name a",
        "{'rules': [{'name': 'a', 'action': 'never', 'path': '/a'},", "{'name': 'a'}]}");
  }

  @Test
  public void parse_moreRulesThanPossible_isRefused() {
    StringBuilder json = new StringBuilder("{'rules': [");
    for (int i = 0; i <= RuleSet.MOST; i++) {
      json.append(i == 0 ? "" : ",\n").append("{'name': 'r").append(i)
          .append("', 'action': 'never', 'path': '/r'}");
    }
    assertRefused("65", "more than 64", json + "]}");
  }
}
