/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waits for what a process does in its own time. */
final class Patience {

  private static final long SECONDS = 180;
  private static final long STEP_MILLIS = 100;

  /** A condition to wait for; an exception is a no. */
  interface Condition {
    /** @return whether it holds now. */
    boolean isTrue() throws IOException, InterruptedException;
  }

  private Patience() {
  }

  /** @throws io.hdfslocalcache.bench.e2e.BenchException if the process ends, or it takes too long */
  static void await(String what, Daemon daemon, Condition condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!holds(condition)) {
      daemon.checkAlive();
      if (System.nanoTime() > deadline) {
        throw daemon.failure("does not " + what + " in " + SECONDS + " s");
      }
      Thread.sleep(STEP_MILLIS);
    }
  }

  private static boolean holds(Condition condition) throws InterruptedException {
    try {
      return condition.isTrue();
    } catch (IOException e) {
      // Its web server does not listen yet.
      return false;
    }
  }
}
