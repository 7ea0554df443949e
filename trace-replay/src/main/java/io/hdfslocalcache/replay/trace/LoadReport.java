/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.ArrayList;
import java.util.List;

/** What was found while a trace was loaded. */
public final class LoadReport {

  private static final int MAX_MESSAGES = 10;

  private final List<String> messages = new ArrayList<>();
  private long lines;
  private long bad;
  private long outOfOrder;
  private long notClient;
  private long other;

  void addLine() {
    lines++;
  }

  void addBad(String file, long line, String why) {
    bad++;
    if (messages.size() < MAX_MESSAGES) {
      messages.add(file + ":" + line + ": " + why);
    }
  }

  void addOutOfOrder() {
    outOfOrder++;
  }

  void addNotClient() {
    notClient++;
  }

  void addOther() {
    other++;
  }

  /** @return lines read. */
  public long lines() {
    return lines;
  }

  /** @return lines left out because they were damaged. */
  public long bad() {
    return bad;
  }

  /** @return lines that were older than the one before; they are sorted in. */
  public long outOfOrder() {
    return outOfOrder;
  }

  /** @return reads by other DataNodes, left out. */
  public long notClient() {
    return notClient;
  }

  /** @return lines that say nothing about reads and writes. */
  public long other() {
    return other;
  }

  /** @return file, line number and reason of the first bad lines. */
  public List<String> messages() {
    return List.copyOf(messages);
  }
}
