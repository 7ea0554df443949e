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
  private final AtomicLong pages = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  /** With what is being filled. */
  private final AtomicLong reserved = new AtomicLong();

  /** @param before the account of the rule of this name in the rules before, or null */
  RuleAccount(Rule rule, RuleAccount before) {
    this.rule = rule;
    this.counters = before == null ? new Counters() : before.counters;
  }

  /** @return the rule's name. */
  public String name() {
    return rule.name();
  }

  /** @return what the rule does. */
  public RuleAction action() {
    return rule.action();
  }

  /** @return whether there is more than the quota allows, with what is being filled. */
  boolean isExceeded() {
    return reserved.get() > rule.quota();
  }

  /** Counts bytes that are about to be filled, or, if negative, no more. */
  void reserve(long more) {
    reserved.addAndGet(more);
  }

  /** Pages that are beyond the quota, since it is smaller now, may leave as others do. */
  @Override
  public boolean isPinned() {
    return rule.action() == RuleAction.PIN && bytes.get() <= rule.quota();
  }

  @Override
  public void added(long more) {
    pages.incrementAndGet();
    grown(more);
  }

  @Override
  public void grown(long more) {
    bytes.addAndGet(more);
    reserve(more);
  }

  @Override
  public void removed(long less) {
    pages.decrementAndGet();
    grown(-less);
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

  /** @param known what the NameNodes say of the rule's paths */
  RuleStatus status(BlockRules.Total known) {
    return new RuleStatus(rule.name(), rule.action().name().toLowerCase(Locale.ROOT),
        rule.quota() == Rule.NO_QUOTA ? null : Long.valueOf(rule.quota()), pages.get(),
        bytes.get(), known.blocks(), known.bytes(), counters.reads.sum(), counters.hits.sum(),
        counters.rejected.sum(), counters.evicted.sum());
  }
}
