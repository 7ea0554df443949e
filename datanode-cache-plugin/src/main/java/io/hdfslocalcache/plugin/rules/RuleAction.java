/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


/** What to do with a read that matches a rule. */
public enum RuleAction {
  /** It is not counted, and missing pages are not filled. Cached pages serve it. */
  NEVER,
  /** The rate limiter decides; the rule only sets a quota. */
  NORMAL,
  /** Missing pages are filled at the first read, if the write budget allows. */
  ALWAYS,
  /** The same, and its pages within the quota stay while others can be evicted. */
  PIN
}
