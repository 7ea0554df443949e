/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.hdfslocalcache.time.TimeAndThreads;

/** The most recent events of the local cache that operators ask about first. */
public final class RecentEvents {

  static final int MOST = 10;

  /**
   * An event.
   *
   * @param millis when, as {@link System#currentTimeMillis}
   * @param text what happened, in the words of the log
   */
  public record Happened(long millis, String text) {
  }

  private final Deque<Happened> newestFirst = new ArrayDeque<>();

  /** Adds an event, and drops the oldest. */
  public synchronized void add(String text) {
    newestFirst.addFirst(new Happened(TimeAndThreads.get().currentTimeMillis(), LogText.of(text)));
    if (newestFirst.size() > MOST) {
      newestFirst.removeLast();
    }
  }

  /** @return the events, the newest first. */
  public synchronized List<Happened> newestFirst() {
    return List.copyOf(newestFirst);
  }
}
