/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.hadoop.util.StringUtils;

/** Parses rules from JSON. An error names the line at which its rule begins. */
final class RuleParser {

  private static final ObjectMapper JSON = new ObjectMapper()
      .configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
  private static final Set<String> FIELDS =
      Set.of("name", "action", "path", "client", "user", "quota", "comment");

  private final String file;
  private final List<Rule> rules = new ArrayList<>();
  private int line = 1;

  private RuleParser(String file) {
    this.file = file;
  }

  /**
   * Reads rules.
   *
   * @param file its name, for messages
   * @param json its content
   * @throws BadRulesException at the first mistake
   */
  static RuleSet parse(String file, byte[] json) throws BadRulesException {
    RuleParser parser = new RuleParser(file);
    try (JsonParser in = JSON.createParser(json)) {
      parser.readAll(in);
      return new RuleSet(parser.rules);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new BadRulesException(file, at == null ? parser.line : at.getLineNr(),
          // The rest quotes the file, cut at a line's end.
          e.getOriginalMessage().split(" \\(start marker|\n")[0]);
    } catch (BadRulesException e) {
      throw e;
    } catch (IOException e) {
      throw new BadRulesException(file, "cannot be read: " + ErrorText.of(e), e);
    }
  }

  private void readAll(JsonParser in) throws IOException {
    check(in.nextToken() == JsonToken.START_OBJECT, "expected an object with the field rules");
    boolean found = false;
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String field = in.getCurrentName();
      line = in.getTokenLocation().getLineNr();
      check(field.equals("rules") || field.equals("comment"),
          "unknown field " + field + ", expected rules");
      boolean isArray = in.nextToken() == JsonToken.START_ARRAY;
      if (field.equals("comment")) {
        text(in.readValueAsTree(), field);
        continue;
      }
      found = true;
      check(isArray, "rules must be an array");
      while (in.nextToken() != JsonToken.END_ARRAY) {
        line = in.getTokenLocation().getLineNr();
        check(rules.size() < RuleSet.MOST, "more than " + RuleSet.MOST + " rules");
        rules.add(rule(in.readValueAsTree()));
      }
    }
    check(found, "the field rules is missing");
    check(in.nextToken() == null, "unexpected text after the object");
  }

  private Rule rule(JsonNode fields) throws BadRulesException {
    check(fields.isObject(), "a rule must be an object");
    for (Iterator<String> names = fields.fieldNames(); names.hasNext();) {
      String field = names.next();
      check(FIELDS.contains(field), "unknown field " + field
          + ", expected name, action, path, client, user, quota or comment");
    }
    check(fields.has("name"), "the rule has no name");
    String name = name(fields.get("name"));
    check(fields.has("action"), "rule " + name + " has no action");
    if (fields.has("comment")) {
      text(fields.get("comment"), "comment");
    }
    RuleAction action = action(text(fields.get("action"), "action"));
    long quota = fields.has("quota") ? quota(fields.get("quota")) : Rule.NO_QUOTA;
    check(action != RuleAction.PIN || quota != Rule.NO_QUOTA, "pin needs a quota");
    check(action != RuleAction.NEVER || quota == Rule.NO_QUOTA, "never must not have a quota");
    Rule rule = new Rule(name, action, quota, patterns(fields, "path"),
        patterns(fields, "client"), patterns(fields, "user"));
    for (String path : rule.paths()) {
      checkPath(path);
    }
    check(!rule.paths().isEmpty() || !rule.clients().isEmpty() || !rule.users().isEmpty(),
        "rule " + name + " has no path, client or user: it matches no read");
    return rule;
  }

  private String name(JsonNode value) throws BadRulesException {
    String name = text(value, "name");
    check(name.matches("[A-Za-z0-9_.-]{1,64}"),
        "a name has 1 to 64 letters, digits, dots, hyphens and underscores");
    check(rules.stream().noneMatch(rule -> rule.name().equals(name)),
        "two rules have the name " + name);
    return name;
  }

  private RuleAction action(String name) throws BadRulesException {
    return Stream.of(RuleAction.values())
        .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(name)).findFirst()
        .orElseThrow(() -> bad("action must be never, normal, always or pin, not " + name));
  }

  private long quota(JsonNode value) throws BadRulesException {
    String text = value.isIntegralNumber() ? value.asText() : text(value, "quota");
    try {
      long quota = StringUtils.TraditionalBinaryPrefix.string2long(text);
      check(quota > 0, "a quota must be more than 0");
      return quota;
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw bad("quota must be a number of bytes, with or without one of the suffixes k, m, g, t, "
          + "not " + text);
    }
  }

  private List<String> patterns(JsonNode fields, String field) throws BadRulesException {
    List<String> patterns = new ArrayList<>();
    JsonNode value = fields.get(field);
    if (value != null) {
      for (JsonNode one : value.isArray() ? value : List.of(value)) {
        patterns.add(text(one, field));
      }
      check(!patterns.isEmpty() && !patterns.contains(""), field + " must not be empty");
    }
    return List.copyOf(patterns);
  }

  private void checkPath(String pattern) throws BadRulesException {
    check(pattern.startsWith("/"), "a path must be absolute, without the file system's name");
    try {
      GlobPattern.compile(pattern);
    } catch (RuntimeException e) {
      throw bad("not a path pattern: " + pattern);
    }
  }

  private String text(JsonNode value, String field) throws BadRulesException {
    check(value.isTextual(), field + " must be a string");
    return value.asText();
  }

  private void check(boolean condition, String message) throws BadRulesException {
    if (!condition) {
      throw bad(message);
    }
  }

  private BadRulesException bad(String message) {
    return new BadRulesException(file, line, message);
  }
}
