/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** Says every few seconds how far a long command is. */
final class Progress {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final PrintStream err;
  private final long replicas;
  private long done;
  private long lastSaid = System.nanoTime();

  /** @param replicas how many there are to do */
  Progress(PrintStream err, long replicas) {
    this.err = err;
    this.replicas = replicas;
  }

  /** So many more are done, if perhaps none. */
  synchronized void add(int more) {
    done += more;
    long now = System.nanoTime();
    if (now - lastSaid > EVERY_NANOS) {
      lastSaid = now;
      err.println(done + " of " + Text.count(replicas, "replica") + " done");
    }
  }
}
