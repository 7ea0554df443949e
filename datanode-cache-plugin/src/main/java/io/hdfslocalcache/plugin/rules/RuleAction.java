/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


/** What becomes of a read that a rule is for. */
public enum RuleAction {
  /** It is not counted, and what it misses is not filled. Pages that are there serve it. */
  NEVER,
  /** The rate limiter decides; only the quota is the rule's. */
  NORMAL,
  /** What it misses is filled at the first read, if the write budget allows. */
  ALWAYS,
  /** The same, and its pages stay while others can leave and the quota holds. */
  PIN
}
