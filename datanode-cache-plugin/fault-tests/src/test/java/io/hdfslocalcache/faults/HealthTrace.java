/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdState;

/** What an SSD's state was, and when, and what the local cache served while it was down. */
final class HealthTrace extends Background {

  private static final long PERIOD_MILLIS = 2;

  /** A state that began. */
  record Change(long nanos, SsdState state, String reason) {
  }

  private final SsdHealth health;
  private final LongSupplier hits;
  private final List<Change> changes = new CopyOnWriteArrayList<>();
  private volatile long downNanos;
  private volatile long hitsWhileDown;
  private boolean wasDown;
  private long lastNanos;
  private long lastHits;

  /** @param hits reads of all SSDs that were served to the last byte, so far */
  HealthTrace(SsdHealth health, LongSupplier hits) {
    this.health = health;
    this.hits = hits;
    begin("health");
  }

  @Override
  void again() throws IOException {
    SsdState state = health.state();
    long nanos = System.nanoTime();
    long hitsNow = hits.getAsLong();
    if (wasDown && !state.isReadable()) {
      downNanos += nanos - lastNanos;
      hitsWhileDown += hitsNow - lastHits;
    }
    wasDown = !state.isReadable();
    lastNanos = nanos;
    lastHits = hitsNow;
    if (changes.isEmpty() || last().state() != state) {
      changes.add(new Change(System.nanoTime(), state, health.reason()));
    }
    pause(PERIOD_MILLIS);
  }

  private Change last() {
    return changes.get(changes.size() - 1);
  }

  /** @return whether the state is normal, and known here to be. */
  boolean isNormal() {
    return health.state() == SsdState.NORMAL && !changes.isEmpty()
        && last().state() == SsdState.NORMAL;
  }

  /** @return milliseconds from then until a state first held, or -1 if it never did. */
  long millisUntil(long sinceNanos, Predicate<SsdState> state) {
    return changes.stream().filter(change -> change.nanos() >= sinceNanos)
        .filter(change -> state.test(change.state())).findFirst()
        .map(change -> TimeUnit.NANOSECONDS.toMillis(change.nanos() - sinceNanos)).orElse(-1L);
  }

  /** @return the worst state, and why, since then; empty if it was always normal. */
  String worst(long sinceNanos) {
    return changes.stream().filter(change -> change.nanos() >= sinceNanos)
        .filter(change -> change.state() != SsdState.NORMAL)
        .max((a, b) -> a.state().compareTo(b.state()))
        .map(change -> change.state() + ": " + change.reason()).orElse("");
  }

  /** @return milliseconds in which the SSD was down or only probed: no read was served by it. */
  long downMillis() {
    return TimeUnit.NANOSECONDS.toMillis(downNanos);
  }

  /** @return hits that ended in that time; they are those of the other SSD. */
  long hitsWhileDown() {
    return hitsWhileDown;
  }
}
