/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.ssd.space.PageOwner;

/** What is on a rule's account: the pages on all SSDs, and what happened to its reads. */
public final class RuleAccount implements PageOwner {

  /** Counters that go on when the rules are read again. */
  private static final class Counters {
    private final LongAdder reads = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder evicted = new LongAdder();
  }

  private final Rule rule;
  private final Counters counters;
  private RuleAccount parent;
  private final AtomicLong pages = new AtomicLong();
  private final AtomicLong ownBytes = new AtomicLong();
  /** With those of the rules below, and what is being filled. */
  private final AtomicLong treeBytes = new AtomicLong();

  /** @param before the account of the rule of this name in the rules before, or null */
  RuleAccount(Rule rule, RuleAccount before) {
    this.rule = rule;
    this.counters = before == null ? new Counters() : before.counters;
  }

  /** To be called once, before anybody else sees the account. */
  void setParent(RuleAccount newParent) {
    parent = newParent;
  }

  RuleAccount parent() {
    return parent;
  }

  /** @return whether this is the account of a rule or of one above it. */
  boolean isAtOrAbove(RuleAccount other) {
    for (RuleAccount one = other; one != null; one = one.parent) {
      if (one == this) {
        return true;
      }
    }
    return false;
  }

  /** @return the rule's name. */
  public String name() {
    return rule.name();
  }

  /** @return what the rule does. */
  public RuleAction action() {
    return rule.action();
  }

  /** @return the account that has no room for so many bytes more: this or one above, or null. */
  RuleAccount exceededBy(long bytes) {
    for (RuleAccount one = this; one != null; one = one.parent) {
      if (one.rule.quota() != Rule.NO_QUOTA && one.treeBytes.get() + bytes > one.rule.quota()) {
        return one;
      }
    }
    return null;
  }

  /** Counts bytes that are about to be filled, or, if negative, no more. */
  void reserve(long bytes) {
    for (RuleAccount one = this; one != null; one = one.parent) {
      one.treeBytes.addAndGet(bytes);
    }
  }

  /** Pages that are beyond the quota, since it is smaller now, may leave as others do. */
  @Override
  public boolean isPinned() {
    return rule.action() == RuleAction.PIN && ownBytes.get() <= rule.quota();
  }

  @Override
  public void added(long bytes) {
    pages.incrementAndGet();
    grown(bytes);
  }

  @Override
  public void grown(long bytes) {
    ownBytes.addAndGet(bytes);
    reserve(bytes);
  }

  @Override
  public void removed(long bytes) {
    pages.decrementAndGet();
    ownBytes.addAndGet(-bytes);
    reserve(-bytes);
  }

  /** A read that the rule is for is over. */
  public void read(ReadOutcome outcome) {
    counters.reads.increment();
    if (outcome == ReadOutcome.HIT || outcome == ReadOutcome.PARTIAL_HIT) {
      counters.hits.increment();
    }
    if (rule.action() == RuleAction.NEVER
        && (outcome == ReadOutcome.PARTIAL_HIT || outcome == ReadOutcome.MISS_NOT_ADMITTED)) {
      counters.rejected.increment();
    }
  }

  /** A page was kept out by a quota. */
  void rejected() {
    counters.rejected.increment();
  }

  /** A page has left because of a quota. */
  void evicted() {
    counters.evicted.increment();
  }

  /** @return what there is to see. */
  public RuleStatus status() {
    return new RuleStatus(rule.name(), rule.parent(),
        rule.isGroup() ? null : rule.action().name().toLowerCase(Locale.ROOT),
        rule.quota() == Rule.NO_QUOTA ? null : Long.valueOf(rule.quota()), pages.get(),
        ownBytes.get(), treeBytes.get(), counters.reads.sum(), counters.hits.sum(),
        counters.rejected.sum(), counters.evicted.sum());
  }
}
