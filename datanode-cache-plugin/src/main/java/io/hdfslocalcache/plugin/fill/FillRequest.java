/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.rules.RuleAccount;

/**
 * Asks for the pages that hold a range of a block.
 *
 * @param snapshot the state of the replica that was read
 * @param from first byte
 * @param to byte after the last
 * @param isOrdered whether an operator asks, whatever the rate limiter says
 * @param rule on whose account the pages are; null if no rule is for them
 */
public record FillRequest(ReplicaSnapshot snapshot, long from, long to, boolean isOrdered,
    RuleAccount rule) {

  /** For what a reader has missed. */
  public FillRequest(ReplicaSnapshot snapshot, long from, long to) {
    this(snapshot, from, to, false, null);
  }

  /** For a whole block, because an operator asks. */
  public static FillRequest ordered(ReplicaSnapshot snapshot) {
    return ordered(snapshot, null);
  }

  /** The same on the account of a rule. */
  public static FillRequest ordered(ReplicaSnapshot snapshot, RuleAccount rule) {
    return new FillRequest(snapshot, 0, snapshot.length(), true, rule);
  }

  /** Widens the range to multiples of the page size, so that equal work makes equal requests. */
  public static FillRequest of(ReplicaSnapshot snapshot, long from, long to, int pageSize) {
    return of(snapshot, from, to, pageSize, null);
  }

  /** The same on the account of a rule. */
  public static FillRequest of(ReplicaSnapshot snapshot, long from, long to, int pageSize,
      RuleAccount rule) {
    long first = from / pageSize * pageSize;
    long last = Math.min(snapshot.length(), (to + pageSize - 1) / pageSize * pageSize);
    return new FillRequest(snapshot, first, last, false, rule);
  }

  /** @return about how many pages the range has. */
  int pages(int pageSize) {
    return Math.toIntExact((to - from + pageSize - 1) / pageSize);
  }
}
