/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.time.TimeAndThreads;

/** Pauses without a wait. Once this has begun, the clock goes on only in them. */
public final class Pauses extends TimeAndThreads {

  private final AtomicLong now = new AtomicLong();
  private final TimeAndThreads before = get();

  /** Replaces the JVM's clock, until the {@link #end}. */
  public void begin() {
    replace(this);
  }

  /** To be called after each test. */
  public void end() {
    replace(before);
  }

  @Override
  public long nanoTime() {
    return now.get();
  }

  @Override
  public void sleep(long nanos) {
    now.addAndGet(nanos);
  }
}
