/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.util.Arrays;

/** Events within a time that ends now, to the tenth of it. Not thread-safe. */
final class RecentCount {

  private static final int SLOTS = 10;

  private final long slotNanos;
  private final int[] counts = new int[SLOTS];
  private long newest;

  RecentCount(long windowNanos, long now) {
    this.slotNanos = windowNanos / SLOTS;
    this.newest = now / slotNanos;
  }

  /** Adds an event. @return the events in the window, with this one */
  int add(long now) {
    forget(now);
    counts[Math.floorMod(newest, SLOTS)]++;
    return sum();
  }

  /** @return the events in the window. */
  int count(long now) {
    forget(now);
    return sum();
  }

  void clear() {
    Arrays.fill(counts, 0);
  }

  private void forget(long now) {
    long slot = now / slotNanos;
    for (int i = 0; newest < slot && i < SLOTS; i++) {
      counts[Math.floorMod(++newest, SLOTS)] = 0;
    }
    newest = Math.max(newest, slot);
  }

  private int sum() {
    int sum = 0;
    for (int count : counts) {
      sum += count;
    }
    return sum;
  }
}
