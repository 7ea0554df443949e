/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.util.List;
import java.util.Locale;

/**
 * One rule. It matches a read if at least one pattern of each of its kinds matches.
 *
 * @param name unique name
 * @param action what it does
 * @param quota bytes that its pages may take on the SSDs; {@link #NO_QUOTA}: no limit
 * @param paths absolute HDFS paths, perhaps with wildcards; each includes everything below it
 * @param clients names of HDFS clients, perhaps with wildcards
 * @param users names of users in block tokens, perhaps with wildcards
 */
record Rule(String name, RuleAction action, long quota, List<String> paths,
    List<String> clients, List<String> users) {

  static final long NO_QUOTA = Long.MAX_VALUE;

  /** @return its name and what it does, for an operator. */
  String words() {
    return "rule " + name + ": " + action.name().toLowerCase(Locale.ROOT);
  }

  /** @return whether it matches a block whoever reads it. */
  boolean isForPathsOnly() {
    return !paths.isEmpty() && clients.isEmpty() && users.isEmpty();
  }

  /** @return whether it matches reads of this client, if the block matches. */
  boolean fits(String client, String user) {
    return any(clients, client) && any(users, user);
  }

  private static boolean any(List<String> patterns, String name) {
    if (patterns.isEmpty()) {
      return true;
    }
    for (String pattern : patterns) {
      if (name != null && matches(pattern, name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * @return whether the pattern matches the whole name; {@code *} stands for any characters and
   *     {@code ?} for one. Allocates nothing.
   */
  static boolean matches(String pattern, String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int afterStar = 0;
    while (n < name.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        afterStar = n;
      } else if (p < pattern.length()
          && (pattern.charAt(p) == '?' || pattern.charAt(p) == name.charAt(n))) {
        p++;
        n++;
      } else if (star >= 0) {
        // The last star matches one more character.
        p = star + 1;
        n = ++afterStar;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
