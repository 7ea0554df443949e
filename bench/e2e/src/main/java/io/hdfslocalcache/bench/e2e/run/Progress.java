/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.PrintStream;
import java.util.Locale;

/** Tells the user how far the run is: a line that is redrawn on a terminal, else line by line. */
public final class Progress {

  private static final String REDRAW = "\r\033[K";

  private final PrintStream out;
  private final boolean terminal;
  private final long begin = System.nanoTime();
  private double expected;
  private double done;

  public Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Announces about how many seconds it will take. */
  public void expect(double seconds) {
    expected = seconds;
  }

  /** A step begins. */
  public void begin(String what) {
    double share = expected == 0 ? 0 : Math.min(1, done / expected);
    String line = String.format(Locale.ROOT, "%3.0f %%%s  %s", 100 * share, rest(share), what);
    if (terminal) {
      out.print(REDRAW + line);
      out.flush();
    } else {
      out.println(line);
    }
  }

  /** What was expected to take so many seconds has ended. */
  public void done(double seconds) {
    done += seconds;
  }

  private String rest(double share) {
    double minutes = (System.nanoTime() - begin) / 60e9;
    return share < 0.02 ? ""
        : String.format(Locale.ROOT, "  %.0f min left", Math.ceil(minutes / share - minutes));
  }

  /** Prints a line that stays. */
  public void say(String line) {
    out.println((terminal ? REDRAW : "") + line);
  }
}
