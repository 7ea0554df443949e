/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that tests set, also backwards, as a thread delayed after reading it sees it. */
final class TestingClock implements RateLimiterClock {
  static final long MINUTE = 60_000;

  private final AtomicLong millis = new AtomicLong();

  @Override
  public long millis() {
    return millis.get();
  }

  void setMillis(long now) {
    millis.set(now);
  }

  void setMinute(long minute) {
    millis.set(minute * MINUTE);
  }

  void advanceMillis(long by) {
    millis.addAndGet(by);
  }
}
