/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.metrics.LogText;

/**
 * A command with its arguments: one JSON object, such as {@code {"command":"top","n":10}}. A
 * missing argument, or one of another type, is refused with an {@link IllegalArgumentException}.
 */
final class Arguments {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COMMAND = "command";

  private final JsonNode object;

  private Arguments(JsonNode object) {
    this.object = object;
  }

  static Arguments of(String text) {
    try {
      Arguments arguments = new Arguments(JSON.readTree(text));
      arguments.text(COMMAND);
      return arguments;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + LogText.of(text), e);
    }
  }

  /** @return the name of the command. */
  String command() {
    return text(COMMAND);
  }

  /** A newer command may have arguments that this DataNode would ignore. */
  void refuseOthersThan(Set<String> known) {
    for (Iterator<String> names = object.fieldNames(); names.hasNext();) {
      String name = names.next();
      check(name.equals(COMMAND) || known.contains(name),
          "the local cache of this DataNode does not know " + name + " of " + command());
    }
  }

  boolean has(String name) {
    return object.hasNonNull(name);
  }

  String text(String name) {
    check(object.path(name).isTextual(), "expected a text for " + name);
    return object.path(name).textValue();
  }

  double number(String name) {
    check(object.path(name).isNumber(), "expected a number for " + name);
    return object.path(name).doubleValue();
  }

  long wholeNumber(String name) {
    check(object.path(name).isIntegralNumber(), "expected a whole number for " + name);
    return object.path(name).longValue();
  }

  /** @return false if there is no such argument. */
  boolean flag(String name) {
    check(!has(name) || object.path(name).isBoolean(), "expected true or false for " + name);
    return object.path(name).asBoolean();
  }

  List<String> texts(String name) {
    check(object.path(name).isArray(), "expected a list for " + name);
    List<String> texts = new ArrayList<>();
    for (JsonNode one : object.path(name)) {
      check(one.isTextual(), "expected a list of texts for " + name);
      texts.add(one.textValue());
    }
    return texts;
  }

  static void check(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
