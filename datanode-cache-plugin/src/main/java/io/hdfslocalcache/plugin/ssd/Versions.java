/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What is known of one part of the saved state, from all copies. The newest version counts, unless it
 * was refused: that of an SSD that failed, or did not answer in time, may be in its file all the same.
 * So each copy names the changes that were refused after its own. Not thread-safe.
 */
final class Versions {

  /**
   * A version. Immutable.
   *
   * @param changed when it was changed, in milliseconds
   * @param value null if the part was dropped
   * @param refused when it was changed later, but refused, in milliseconds
   */
  record Part(long changed, JsonNode value, Set<Long> refused) {

    /** One after which nothing was refused. */
    Part(long changed, JsonNode value) {
      this(changed, value, Set.of());
    }
  }

  /** No time of a change. */
  static final long NONE = -1;

  private final NavigableMap<Long, JsonNode> values = new TreeMap<>();
  private final NavigableSet<Long> refused = new TreeSet<>();
  private long proposed = NONE;
  private boolean mayBeSaved;

  /** @return the version for copies, which may still be refused; null: none */
  Part newest() {
    return before(Long.MAX_VALUE);
  }

  /** @return the version that counts; null: none */
  Part known() {
    return before(proposed == NONE ? Long.MAX_VALUE : proposed);
  }

  private Part before(long time) {
    Long changed = values.lowerKey(time);
    return changed != null
        ? new Part(changed, values.get(changed), new TreeSet<>(refused.tailSet(changed)))
        : refused.isEmpty() ? null : new Part(0, null, new TreeSet<>(refused));
  }

  /** Takes over what a copy has. */
  void found(Part copy) {
    refused.addAll(copy.refused());
    values.putIfAbsent(copy.changed(), copy.value());
    values.keySet().removeAll(refused);
  }

  /** Changes it for good. @param now in milliseconds */
  void put(JsonNode value, long now) {
    long changed = next(now);
    values.put(changed, value);
    forgetBefore(changed);
  }

  /** A later change, which another copy may have, counts more. */
  void correct(UnaryOperator<JsonNode> correction) {
    Part known = known();
    long changed = known.changed() + 1;
    while (refused.contains(changed)) {
      changed++;
    }
    values.putIfAbsent(changed, correction.apply(known.value()));
  }

  /** Changes it until that is accepted or refused. @param now in milliseconds */
  void propose(JsonNode value, long now) {
    proposed = next(now);
    mayBeSaved = false;
    values.put(proposed, value);
  }

  /** @return when what is proposed was changed, in milliseconds; {@link #NONE}: nothing is */
  long proposed() {
    return proposed;
  }

  /**
   * A place is about to save what was proposed.
   *
   * @return whether it may: not if that was refused meanwhile
   */
  boolean maySave(long changed) {
    mayBeSaved |= changed == proposed;
    return values.containsKey(changed);
  }

  /** What was proposed counts. */
  void accept() {
    forgetBefore(proposed);
    proposed = NONE;
  }

  /** What was proposed does not count, even if a place has saved it. */
  void refuse() {
    values.remove(proposed);
    if (mayBeSaved) {
      refused.add(proposed);
    }
    proposed = NONE;
  }

  private long next(long now) {
    long last = Math.max(values.isEmpty() ? NONE : values.lastKey(),
        refused.isEmpty() ? NONE : refused.last());
    return Math.max(now, last + 1);
  }

  private void forgetBefore(long changed) {
    values.headMap(changed).clear();
    refused.headSet(changed).clear();
  }
}
