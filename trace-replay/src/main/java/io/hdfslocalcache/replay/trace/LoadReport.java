/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.text.Text;

/** What was found while a trace was loaded. */
public final class LoadReport {

  private static final int MAX_MESSAGES = 10;

  /** File, line number and reason of the first bad lines. */
  final List<String> messages = new ArrayList<>();
  /** Lines read. */
  long lines;
  /** Lines left out because they were damaged. */
  long bad;
  /** Lines that were older than the one before; they are sorted in. */
  long outOfOrder;
  /** Reads by other DataNodes, of which a local cache takes no notice; left out. */
  long notClient;
  /** Lines that say nothing about reads and writes. */
  long other;

  void addBad(String file, long line, String why) {
    bad++;
    if (messages.size() < MAX_MESSAGES) {
      messages.add(file + ":" + line + ": " + why);
    }
  }

  /** Tells the user about lines that were not taken as they are; nothing if there are none. */
  public void print(PrintStream err) {
    print(err, bad, "bad lines left out");
    messages.forEach(message -> err.println("  " + message));
    print(err, outOfOrder, "lines older than the one before; sorted in");
    print(err, notClient, "reads by other DataNodes left out");
    print(err, other, "other lines left out");
  }

  private static void print(PrintStream err, long n, String what) {
    if (n > 0) {
      err.println("trace-replay: " + Text.count(n) + " " + what);
    }
  }
}
