/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.config.Sizes;

/** Prints every few seconds a long command's progress, rate and remaining time. */
public final class Progress {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final PrintStream err;
  private final long things;
  private final String noun;
  private final LongSupplier nanoClock;
  private final long begin;
  private long done;
  private long failed;
  private long bytes;
  private long lastSaid;
  /** Done or failed when last said. */
  private long ended;

  /**
   * Starts.
   *
   * @param things number to do; negative: not known, and they are listed
   * @param noun name of one
   */
  public Progress(PrintStream err, long things, String noun) {
    this(err, things, noun, System::nanoTime);
  }

  Progress(PrintStream err, long things, String noun, LongSupplier nanoClock) {
    this.err = err;
    this.things = things;
    this.noun = noun;
    this.nanoClock = nanoClock;
    this.begin = nanoClock.getAsLong();
    this.lastSaid = begin;
  }

  /** Adds done things, perhaps none. */
  public void add(int more) {
    add(more, 0, 0);
  }

  /**
   * The same.
   *
   * @param moreFailed things that failed instead; not shown if always 0
   * @param moreBytes bytes moved for the done ones; not shown if always 0
   */
  synchronized void add(int more, int moreFailed, long moreBytes) {
    done += more;
    failed += moreFailed;
    bytes += moreBytes;
    long now = nanoClock.getAsLong();
    if (now - lastSaid > EVERY_NANOS) {
      lastSaid = now;
      // While nothing moves, nobody knows how long it takes.
      boolean moves = done + failed > ended;
      ended = done + failed;
      err.println(things < 0 ? "listed " + Text.count(done, noun) + " so far"
          : done + " of " + Text.count(things, noun) + " done"
              + (failed == 0 ? "" : ", " + failed + " failed") + (moves ? rate(now - begin) : ""));
    }
  }

  private String rate(long nanos) {
    return (bytes == 0 ? "" : ", " + Sizes.text((long) (bytes * 1e9 / nanos)) + "/s")
        + (done == 0 ? "" : ", " + Text.seconds(
            TimeUnit.NANOSECONDS.toMillis((long) ((double) nanos / done * (things - done - failed))))
            + " left");
  }
}
