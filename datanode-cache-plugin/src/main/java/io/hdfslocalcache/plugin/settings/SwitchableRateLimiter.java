/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.StateFile;

/**
 * A rate limiter that gives way to another while reads go on. Reads take no lock and wait for
 * nobody; pages are refused for the moment in which the one's account is handed to the other.
 *
 * <p>What the earlier one has counted is not lost: when a block is read or asked for the first time
 * since, the new one counts the reads that the earlier one still counts of it, as if they were made now.
 * The earlier one is kept for as long as its reads can matter.
 */
final class SwitchableRateLimiter implements CacheRateLimiter {

  /** Each takes the heap of a whole limiter. */
  private static final int MOST_EARLIER = 2;
  /** More reads make no difference to any sensible threshold, and a client waits for it. */
  private static final int MOST_CARRIED = 1000;

  private record State(CacheRateLimiter limiter, List<CacheRateLimiter> earlier, long until) {
  }

  private final RateLimiterClock clock;
  private volatile State state;
  private volatile boolean exchanging;
  private StateFile file;

  SwitchableRateLimiter(CacheRateLimiter first, RateLimiterClock clock) {
    this.clock = clock;
    this.state = new State(first, List.of(), 0);
  }

  /**
   * Puts another in the place of the present one, which is closed.
   *
   * @param keepMillis for how long a read that the present one has counted may matter
   * @return whether reads that were counted so far go on to count
   */
  synchronized boolean exchange(CacheRateLimiter next, long keepMillis) {
    CacheRateLimiter before = state.limiter;
    boolean carried = tellsReads(before) && tellsReads(next);
    exchanging = true;
    try {
      // Its account is saved, and goes on from what was saved.
      before.close();
      if (file != null) {
        next.restore(file);
      }
      state = new State(next, carried ? earlier(before) : List.of(), clock.millis() + keepMillis);
    } finally {
      exchanging = false;
    }
    return carried;
  }

  /** A limiter of somebody else's is not asked any more when it was closed. */
  private static boolean tellsReads(CacheRateLimiter limiter) {
    return limiter.getClass().getPackage() == CacheRateLimiter.class.getPackage()
        && limiter.accesses("", 0) >= 0;
  }

  private List<CacheRateLimiter> earlier(CacheRateLimiter before) {
    List<CacheRateLimiter> all = new ArrayList<>(List.of(before));
    all.addAll(state.earlier);
    return List.copyOf(all.subList(0, Math.min(MOST_EARLIER, all.size())));
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    knowing(blockPoolId, blockId).record(blockPoolId, blockId, bytes);
  }

  /** @return the limiter that decides now, with what the earlier ones know of the block. */
  private CacheRateLimiter knowing(String blockPoolId, long blockId) {
    State now = state;
    if (!now.earlier.isEmpty()) {
      carryOver(now, blockPoolId, blockId);
    }
    return now.limiter;
  }

  private void carryOver(State now, String blockPoolId, long blockId) {
    if (clock.millis() > now.until) {
      forgetEarlier(now);
      return;
    }
    if (now.limiter.accesses(blockPoolId, blockId) != 0) {
      return;
    }
    long reads = 0;
    for (int i = 0; i < now.earlier.size() && reads <= 0; i++) {
      reads = now.earlier.get(i).accesses(blockPoolId, blockId);
    }
    for (long i = Math.min(MOST_CARRIED, reads); i > 0; i--) {
      now.limiter.record(blockPoolId, blockId, 0);
    }
  }

  private synchronized void forgetEarlier(State now) {
    if (state == now) {
      state = new State(now.limiter, List.of(), 0);
    }
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    // The read may have been counted by the one before.
    return knowing(blockPoolId, blockId).admits(blockPoolId, blockId);
  }

  @Override
  public boolean admits(String blockPoolId, long blockId, int page) {
    return !exchanging && state.limiter.admits(blockPoolId, blockId, page);
  }

  @Override
  public boolean mayWrite() {
    return !exchanging && state.limiter.mayWrite();
  }

  @Override
  public void written(long bytes) {
    state.limiter.written(bytes);
  }

  @Override
  public void evicted(String blockPoolId, long blockId, int page) {
    knowing(blockPoolId, blockId).evicted(blockPoolId, blockId, page);
  }

  @Override
  public synchronized void restore(StateFile newFile) {
    file = newFile;
    state.limiter.restore(newFile);
  }

  @Override
  public Map<String, Long> metrics() {
    return state.limiter.metrics();
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    return knowing(blockPoolId, blockId).accesses(blockPoolId, blockId);
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    return knowing(blockPoolId, blockId).explain(blockPoolId, blockId);
  }

  @Override
  public synchronized boolean reconfigure(RateLimiterConfig config) {
    return state.limiter.reconfigure(config);
  }

  @Override
  public synchronized void close() {
    state.limiter.close();
  }
}
