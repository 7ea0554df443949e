/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.HashMap;
import java.util.Map;

/** Keeps one copy of strings that occur in many lines. */
final class Interner {

  private final Map<String, String> known = new HashMap<>();

  String intern(String text) {
    String first = known.putIfAbsent(text, text);
    return first == null ? text : first;
  }
}
