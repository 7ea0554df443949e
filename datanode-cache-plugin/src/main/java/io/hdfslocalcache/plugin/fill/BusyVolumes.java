/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.Closeable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the reads that are waiting for each data volume to fill what they miss. */
public final class BusyVolumes {

  /** With so many at a time, a disk has a queue. */
  private static final int MANY = 3;

  private final ConcurrentHashMap<String, AtomicInteger> waiting = new ConcurrentHashMap<>();

  /** A read that waits, until it is closed. */
  interface Waiting extends Closeable {
    /** @return whether others wait for the same volume. */
    boolean isBusy();

    @Override
    void close();
  }

  /** A read goes to a volume. @param volume its storage id, or null if nobody knows */
  Waiting begin(String volume) {
    AtomicInteger counter =
        waiting.computeIfAbsent(volume == null ? "" : volume, id -> new AtomicInteger());
    boolean isBusy = counter.incrementAndGet() >= MANY;
    return new Waiting() {
      @Override
      public boolean isBusy() {
        return isBusy;
      }

      @Override
      public void close() {
        counter.decrementAndGet();
      }
    };
  }
}
