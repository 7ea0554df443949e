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
  private int steps;
  private int done;

  public Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Announces how many steps there will be. */
  public void expect(int number) {
    steps = number;
  }

  /** A step begins. */
  public void begin(String what) {
    double share = steps == 0 ? 0 : Math.min(1, (double) done / steps);
    String line = String.format(Locale.ROOT, "%3.0f %%%s  %s", 100 * share, rest(share), what);
    if (terminal) {
      out.print(REDRAW + line);
      out.flush();
    } else {
      out.println(line);
    }
  }

  /** The step has ended. */
  public void end() {
    done++;
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
