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
  private final long things;
  private final String noun;
  private long done;
  private long lastSaid = System.nanoTime();

  /**
   * Begins.
   *
   * @param things how many there are to do; negative: that is not known
   * @param noun what one is called
   */
  Progress(PrintStream err, long things, String noun) {
    this.err = err;
    this.things = things;
    this.noun = noun;
  }

  /** So many more are done, if perhaps none. */
  synchronized void add(int more) {
    done += more;
    long now = System.nanoTime();
    if (now - lastSaid > EVERY_NANOS) {
      lastSaid = now;
      err.println(things < 0 ? Text.count(done, noun) + " so far"
          : done + " of " + Text.count(things, noun) + " done");
    }
  }
}
