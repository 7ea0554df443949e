/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.util.Daemon;

/**
 * Starts threads and collects garbage all the time, as every JVM does, and takes the time: both wait
 * for a system call that holds the lock of the process's memory.
 */
final class JvmWatch extends Background {

  private static final long PERIOD_MILLIS = 50;
  private static final int STARTS_PER_COLLECTION = 40;

  private volatile long longestNanos;
  private int starts;

  JvmWatch() {
    begin("jvm");
  }

  @Override
  void again() throws IOException {
    long begin = System.nanoTime();
    Daemon started = new Daemon(
        () -> longestNanos = Math.max(longestNanos, System.nanoTime() - begin));
    started.start();
    try {
      started.join();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
    if (++starts % STARTS_PER_COLLECTION == 0) {
      System.gc();
    }
    pause(PERIOD_MILLIS);
  }

  /** @return the longest time that a thread took to start, and forgets it. */
  long takeLongestMillis() {
    long longest = longestNanos;
    longestNanos = 0;
    return TimeUnit.NANOSECONDS.toMillis(longest);
  }
}
