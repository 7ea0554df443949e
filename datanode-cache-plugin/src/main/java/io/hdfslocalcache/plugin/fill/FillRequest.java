/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.rules.RuleAccount;

/**
 * Pages of a block that an operator wants to be filled, whether anybody reads them or not.
 *
 * @param rule on whose account, or null
 */
public record FillRequest(ReplicaSnapshot snapshot, RuleAccount rule) {

  /** @return about how many pages it has. */
  int pages(int pageSize) {
    return Math.toIntExact((snapshot.length() + pageSize - 1) / pageSize);
  }
}
