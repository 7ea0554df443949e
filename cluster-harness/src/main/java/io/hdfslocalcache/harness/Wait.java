/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Waits, in this thread. */
public final class Wait {

  private Wait() {
  }

  /** A condition to wait for. */
  public interface Condition {
    /** @return whether it holds now. */
    boolean isTrue() throws IOException;
  }

  /** Sleeps. @throws InterruptedIOException if the thread is interrupted */
  public static void millis(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(Math.max(0, millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /**
   * Polls a condition.
   *
   * @param patience time limit
   * @param stepMillis time between two polls
   * @return whether it was true in the end
   */
  public static boolean until(Condition condition, Duration patience, long stepMillis)
      throws IOException {
    long begin = System.nanoTime();
    while (!condition.isTrue()) {
      if (System.nanoTime() - begin > patience.toNanos()) {
        return false;
      }
      millis(stepMillis);
    }
    return true;
  }
}
