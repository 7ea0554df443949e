/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.hadoop.util.StringUtils;

/** Reads rules from JSON, and knows the place of every mistake. */
final class RuleParser {

  private static final JsonFactory JSON =
      new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  private static final String FIELDS =
      "name, action, path, client, user, quota, parent or comment";

  private final String file;
  private final JsonParser in;
  private final List<Rule> rules = new ArrayList<>();
  private final Map<String, JsonLocation> parents = new HashMap<>();

  private RuleParser(String file, JsonParser in) {
    this.file = file;
    this.in = in;
  }

  /**
   * Reads rules.
   *
   * @param file its name, for messages
   * @param json its content
   * @throws BadRulesException at the first mistake
   */
  static RuleSet parse(String file, byte[] json) throws BadRulesException {
    try (JsonParser in = JSON.createParser(json)) {
      return new RuleParser(file, in).all();
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new BadRulesException(file, at.getLineNr(), at.getColumnNr(),
          StringUtils.split(e.getOriginalMessage(), '\n')[0]);
    } catch (BadRulesException e) {
      throw e;
    } catch (IOException e) {
      throw new BadRulesException(file, "cannot be read: " + e.getMessage(), e);
    }
  }

  private RuleSet all() throws IOException {
    check(in.nextToken() == JsonToken.START_OBJECT, "expected an object with the field rules");
    boolean found = false;
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String field = in.getCurrentName();
      check(field.equals("rules") || field.equals("comment"),
          "unknown field " + field + ", expected rules");
      in.nextToken();
      if (field.equals("comment")) {
        text("comment");
        continue;
      }
      found = true;
      check(in.currentToken() == JsonToken.START_ARRAY, "rules must be an array");
      while (in.nextToken() != JsonToken.END_ARRAY) {
        check(rules.size() < RuleSet.MOST, "more than " + RuleSet.MOST + " rules");
        rules.add(rule());
      }
    }
    check(found, "the field rules is missing");
    check(in.nextToken() == null, "nothing may follow the object");
    RuleSet set = new RuleSet(rules);
    checkParents(set);
    return set;
  }

  private Rule rule() throws IOException {
    JsonLocation start = in.getTokenLocation();
    check(in.currentToken() == JsonToken.START_OBJECT, "a rule must be an object");
    Map<String, JsonLocation> at = new HashMap<>();
    String name = null;
    String parent = null;
    RuleAction action = null;
    long quota = Rule.NO_QUOTA;
    List<String> paths = List.of();
    List<String> clients = List.of();
    List<String> users = List.of();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String field = in.getCurrentName();
      JsonLocation here = in.getTokenLocation();
      at.put(field, here);
      in.nextToken();
      switch (field) {
        case "name" -> name = name();
        case "parent" -> parent = text(field);
        case "action" -> action = action();
        case "quota" -> quota = quota();
        case "path" -> paths = patterns(field);
        case "client" -> clients = patterns(field);
        case "user" -> users = patterns(field);
        case "comment" -> text(field);
        default -> throw bad(here, "unknown field " + field + ", expected " + FIELDS);
      }
    }
    if (name == null) {
      throw bad(start, "the rule has no name");
    }
    Rule rule = new Rule(name, parent, action == null ? RuleAction.NORMAL : action, quota, paths,
        clients, users);
    if (parent != null) {
      parents.put(name, at.get("parent"));
    }
    check(rule, action, start, at);
    return rule;
  }

  private void check(Rule rule, RuleAction action, JsonLocation start,
      Map<String, JsonLocation> at) throws BadRulesException {
    if (rule.isGroup()) {
      if (action != null) {
        throw bad(at.get("action"),
            "a rule without path, client and user is for no read, and has no action");
      }
    } else if (action == null) {
      throw bad(start, "rule " + rule.name() + " has no action");
    }
    if (action == RuleAction.PIN && rule.quota() == Rule.NO_QUOTA) {
      throw bad(at.get("action"), "pin needs a quota");
    }
    if (action == RuleAction.NEVER && rule.quota() != Rule.NO_QUOTA) {
      throw bad(at.get("quota"), "never has no use for a quota");
    }
  }

  private void checkParents(RuleSet set) throws BadRulesException {
    for (Rule rule : rules) {
      Rule child = rule;
      for (int depth = 0; child.parent() != null; depth++) {
        int parent = set.indexOf(child.parent());
        if (parent < 0) {
          throw bad(parents.get(child.name()), "there is no rule " + child.parent());
        }
        if (depth == RuleSet.MOST) {
          throw bad(parents.get(rule.name()), "rule " + rule.name() + " is its own parent");
        }
        if (child.quota() != Rule.NO_QUOTA && child.quota() > set.get(parent).quota()) {
          throw bad(parents.get(child.name()), "the quota of " + child.name()
              + " is larger than that of its parent " + child.parent());
        }
        child = set.get(parent);
      }
    }
  }

  private String name() throws IOException {
    String name = text("name");
    check(name.matches("[A-Za-z0-9_.-]{1,64}"),
        "a name has 1 to 64 letters, digits, dots, hyphens and underscores");
    check(rules.stream().noneMatch(rule -> rule.name().equals(name)),
        "there are two rules of the name " + name);
    return name;
  }

  private RuleAction action() throws IOException {
    String action = text("action");
    for (RuleAction one : RuleAction.values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(action)) {
        return one;
      }
    }
    throw bad(in.getTokenLocation(), "action must be never, normal, always or pin, not " + action);
  }

  private long quota() throws IOException {
    String value = in.currentToken() == JsonToken.VALUE_NUMBER_INT ? in.getText() : text("quota");
    try {
      long quota = StringUtils.TraditionalBinaryPrefix.string2long(value);
      check(quota > 0, "a quota must be more than 0");
      return quota;
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw bad(in.getTokenLocation(), "quota must be a number of bytes, with or without one of "
          + "the suffixes k, m, g, t, not " + value);
    }
  }

  private List<String> patterns(String field) throws IOException {
    List<String> patterns = new ArrayList<>();
    if (in.currentToken() == JsonToken.START_ARRAY) {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        patterns.add(pattern(field));
      }
    } else {
      patterns.add(pattern(field));
    }
    check(!patterns.isEmpty(), field + " must not be empty");
    return List.copyOf(patterns);
  }

  private String pattern(String field) throws IOException {
    String pattern = text(field);
    check(!pattern.isEmpty(), field + " must not be empty");
    if (field.equals("path")) {
      check(pattern.startsWith("/"), "a path must be absolute, without the file system's name");
      try {
        GlobPattern.compile(pattern);
      } catch (RuntimeException e) {
        throw bad(in.getTokenLocation(), "not a path pattern: " + pattern);
      }
    }
    return pattern;
  }

  private String text(String field) throws IOException {
    check(in.currentToken() == JsonToken.VALUE_STRING, field + " must be a string");
    return in.getText();
  }

  private void check(boolean condition, String message) throws BadRulesException {
    if (!condition) {
      throw bad(in.getTokenLocation(), message);
    }
  }

  private BadRulesException bad(JsonLocation at, String message) {
    return new BadRulesException(file, at.getLineNr(), at.getColumnNr(), message);
  }
}
