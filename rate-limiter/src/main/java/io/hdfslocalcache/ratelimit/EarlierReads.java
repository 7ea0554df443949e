/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.ArrayList;
import java.util.List;

/**
 * The reads counted by earlier limiters, as long as they matter to their replacement. Immutable.
 */
final class EarlierReads {

  /** There was no earlier limiter. */
  static final EarlierReads NONE = new EarlierReads(List.of(), Long.MIN_VALUE);

  /** Each takes the heap of a complete limiter. */
  private static final int MOST_LIMITERS = 2;
  /** More reads do not matter for any sensible threshold, and a client waits meanwhile. */
  private static final int MOST_CARRIED = 1000;

  private final List<CacheRateLimiter> limiters;
  private final long until;

  private EarlierReads(List<CacheRateLimiter> limiters, long until) {
    this.limiters = limiters;
    this.until = until;
  }

  /**
   * Adds the reads of one more limiter, the latest.
   *
   * @param end time of the clock in milliseconds after which no read matters
   * @return all of them
   */
  EarlierReads and(CacheRateLimiter latest, long end) {
    List<CacheRateLimiter> all = new ArrayList<>(List.of(latest));
    all.addAll(limiters);
    return new EarlierReads(List.copyOf(all.subList(0, Math.min(MOST_LIMITERS, all.size()))), end);
  }

  /** Tells whether none of these reads matters any more. */
  boolean isOver(long millis) {
    return millis > until;
  }

  /** Adds the reads known here to a limiter that knows no read of the block, as made now. */
  void carryOver(CacheRateLimiter now, String blockPoolId, long blockId) {
    if (now.accesses(blockPoolId, blockId) != 0) {
      return;
    }
    long reads = 0;
    for (int i = 0; i < limiters.size() && reads <= 0; i++) {
      reads = limiters.get(i).accesses(blockPoolId, blockId);
    }
    for (long i = Math.min(MOST_CARRIED, reads); i > 0; i--) {
      now.record(blockPoolId, blockId, 0);
    }
  }
}
