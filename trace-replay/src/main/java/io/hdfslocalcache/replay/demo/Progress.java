/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.hdfslocalcache.replay.text.Text;

/**
 * What the user sees: lines that stay, and a line that lives. On a terminal that line is redrawn
 * in its place; elsewhere it is printed anew every few seconds.
 */
final class Progress {

  private static final long PLAIN_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** To the first column, where no wrapping spoils what is redrawn. */
  private static final String REDRAW = "\r\033[?7l";
  private static final String END_OF_LINE = "\033[K\033[?7h";

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanoClock;
  private String live;
  private boolean liveIsShown;
  private long nextPlain;

  /** Prints to a stream, which is a terminal or not. */
  Progress(PrintStream out, boolean terminal, LongSupplier nanoClock) {
    this.out = out;
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.nextPlain = nanoClock.getAsLong();
  }

  /** @return whether standard output is a terminal that can redraw a line. */
  static boolean isTerminal() {
    return System.console() != null && !"dumb".equals(System.getenv("TERM"));
  }

  /** Prints a line that stays. */
  void say(String line) {
    endLive();
    out.println(line);
  }

  /** Prints a formatted line that stays. */
  void say(String format, Object... args) {
    say(Text.format(format, args));
  }

  /** Shows the present state of the line that lives. */
  void live(String line) {
    live = line;
    if (terminal) {
      out.print(REDRAW + line + END_OF_LINE);
      out.flush();
      liveIsShown = true;
    } else {
      liveIsShown = nanoClock.getAsLong() - nextPlain >= 0;
      if (liveIsShown) {
        out.println(line);
        nextPlain = nanoClock.getAsLong() + PLAIN_PERIOD_NANOS;
      }
    }
  }

  /** Leaves the line that lives as it is now; the next one starts below. */
  void endLive() {
    if (live != null && terminal) {
      out.println();
    } else if (live != null && !liveIsShown) {
      out.println(live);
    }
    live = null;
    nextPlain = nanoClock.getAsLong();
  }
}
