/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Numbers of minutes (of buckets, whatever their length) that never go back: the newest that any
 * thread has counted in. A thread that was held up after reading the clock counts as if it came
 * now, so it can neither wipe a newer history nor bring back an old one. Threads that find a new
 * minute wait until the first of them has told of it: so it is told once, and nothing is counted in
 * it before.
 */
final class Minutes {

  /** Told before the first thread counts in a new minute. */
  interface Listener {

    /**
     * A new minute is about to begin, for all threads.
     *
     * @param from the newest minute so far
     * @param to the one to come, later than {@code from}
     */
    void passing(long from, long to);
  }

  private final RateLimiterClock clock;
  private final long bucketMillis;
  private final Listener listener;
  /** Changed with the monitor held, read without it. */
  private volatile long newest = Long.MIN_VALUE;

  Minutes(RateLimiterClock clock, long bucketMillis, Listener listener) {
    this.clock = clock;
    this.bucketMillis = bucketMillis;
    this.listener = listener;
  }

  /** @return the minute to count in. */
  long toCountIn() {
    long present = newest;
    long millis = clock.millis();
    return isNotLater(millis, present) ? present : begin(Math.floorDiv(millis, bucketMillis));
  }

  private synchronized long begin(long minute) {
    if (minute > newest) {
      if (newest != Long.MIN_VALUE) {
        listener.passing(newest, minute);
      }
      newest = minute;
    }
    return newest;
  }

  /** @return the minute to decide by: it need not have begun for those that count. */
  long toDecideBy() {
    long present = newest;
    long millis = clock.millis();
    return isNotLater(millis, present) ? present : Math.floorDiv(millis, bucketMillis);
  }

  /** Tells what nearly all calls find, without a division, which costs as much as all the rest. */
  private boolean isNotLater(long millis, long minute) {
    return minute != Long.MIN_VALUE && millis < (minute + 1) * bucketMillis;
  }
}
