/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.util.Daemon;

/**
 * Starts threads and collects garbage all the time, as every JVM does, and takes the time: both wait
 * for a system call that holds the lock of the process's memory.
 */
final class JvmWatch implements Closeable {

  private static final long PERIOD_MILLIS = 50;
  private static final int STARTS_PER_COLLECTION = 40;

  private final Daemon thread = new Daemon(this::goOn);
  private volatile long longestNanos;
  private volatile boolean stopped;

  JvmWatch() {
    thread.setName("fault-test-jvm");
    thread.start();
  }

  private void goOn() {
    try {
      for (int i = 1; !stopped; i++) {
        long begin = System.nanoTime();
        Daemon started = new Daemon(
            () -> longestNanos = Math.max(longestNanos, System.nanoTime() - begin));
        started.start();
        started.join();
        if (i % STARTS_PER_COLLECTION == 0) {
          System.gc();
        }
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** @return the longest time that a thread took to start, and forgets it. */
  long takeLongestMillis() {
    long longest = longestNanos;
    longestNanos = 0;
    return TimeUnit.NANOSECONDS.toMillis(longest);
  }

  @Override
  public void close() {
    stopped = true;
  }
}
