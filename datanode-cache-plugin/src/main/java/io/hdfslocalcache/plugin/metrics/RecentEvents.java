/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.hdfslocalcache.time.TimeAndThreads;

/** The last things that happened to the local cache and that an operator asks about first. */
public final class RecentEvents {

  static final int MOST = 10;

  /**
   * Something that happened.
   *
   * @param millis when, as {@link System#currentTimeMillis}
   * @param text what, as the log says it
   */
  public record Happened(long millis, String text) {
  }

  private final Deque<Happened> newestFirst = new ArrayDeque<>();

  /** Something happened just now; the oldest is forgotten. */
  public synchronized void add(String text) {
    newestFirst.addFirst(new Happened(TimeAndThreads.get().currentTimeMillis(), LogText.of(text)));
    if (newestFirst.size() > MOST) {
      newestFirst.removeLast();
    }
  }

  /** @return what happened, the newest first. */
  public synchronized List<Happened> newestFirst() {
    return List.copyOf(newestFirst);
  }
}
