/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers of minutes (of buckets, whatever their length) that never go back: the newest that any
 * thread has counted in. A thread that was held up after reading the clock counts as if it came
 * now, so it can neither wipe a newer history nor bring back an old one.
 */
final class Minutes {

  /** Told before the first thread counts in a new minute. */
  interface Listener {

    /**
     * A new minute is about to begin. Threads that find it out together all tell.
     *
     * @param from the newest minute so far
     * @param to the one to come, later than {@code from}
     */
    void passing(long from, long to);
  }

  private final RateLimiterClock clock;
  private final long bucketMillis;
  private final Listener listener;
  private final AtomicLong newest = new AtomicLong(Long.MIN_VALUE);

  Minutes(RateLimiterClock clock, long bucketMillis, Listener listener) {
    this.clock = clock;
    this.bucketMillis = bucketMillis;
    this.listener = listener;
  }

  /** @return the minute to count in. */
  long toCountIn() {
    long present = newest.get();
    long millis = clock.millis();
    if (isNotLater(millis, present)) {
      return present;
    }
    long minute = Math.floorDiv(millis, bucketMillis);
    while (minute > present) {
      if (present != Long.MIN_VALUE) {
        listener.passing(present, minute);
      }
      if (newest.compareAndSet(present, minute)) {
        return minute;
      }
      present = newest.get();
    }
    return present;
  }

  /** @return the minute to decide by: it need not have begun for those that count. */
  long toDecideBy() {
    long present = newest.get();
    long millis = clock.millis();
    return isNotLater(millis, present) ? present : Math.floorDiv(millis, bucketMillis);
  }

  /** Tells what nearly all calls find, without a division, which costs as much as all the rest. */
  private boolean isNotLater(long millis, long minute) {
    return minute != Long.MIN_VALUE && millis < (minute + 1) * bucketMillis;
  }
}
