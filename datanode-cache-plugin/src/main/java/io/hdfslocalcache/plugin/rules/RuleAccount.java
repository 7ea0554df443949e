/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;

/** A rule's account: its pages on all SSDs, and the counters of its reads. */
public final class RuleAccount implements PageEvictor.Owner {

  private volatile Rule rule;
  private final LongAdder reads = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final AtomicLong pages = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  /** Including fills in progress. */
  private final AtomicLong reserved = new AtomicLong();

  RuleAccount(Rule rule) {
    this.rule = rule;
  }

  /** Continues with a changed rule of the same name: pages stay on the account until assigned anew. */
  void use(Rule changed) {
    rule = changed;
  }

  /** @return the rule's name. */
  public String name() {
    return rule.name();
  }

  /** @return what the rule does. */
  public RuleAction action() {
    return rule.action();
  }

  /** @return whether the quota is exceeded, including fills in progress. */
  boolean isExceeded() {
    return reserved.get() > rule.quota();
  }

  /** @return the rule's name and what it does, for an operator. */
  public String words() {
    return rule.words();
  }

  /** @return the quota in bytes. */
  long quota() {
    return rule.quota();
  }

  /** @return bytes of fills in progress. */
  long inProgress() {
    return reserved.get() - bytes.get();
  }

  /** Reserves bytes for a fill, or, if negative, releases them. */
  void reserve(long more) {
    reserved.addAndGet(more);
  }

  @Override
  public boolean isPinned() {
    return rule.action() == RuleAction.PIN;
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

  /** A read that matches the rule has ended. */
  public void read(ReadOutcome outcome) {
    reads.increment();
    if (outcome == ReadOutcome.HIT || outcome == ReadOutcome.PARTIAL_HIT) {
      hits.increment();
    }
    if (rule.action() == RuleAction.NEVER
        && (outcome == ReadOutcome.PARTIAL_HIT || outcome == ReadOutcome.MISS_NOT_ADMITTED)) {
      rejected.increment();
    }
  }

  /** A page was kept out by a quota, or by the write budget. */
  public void rejected() {
    rejected.increment();
  }

  /** A page was evicted because of a quota. */
  void evicted() {
    evicted.increment();
  }

  /** @param known blocks of the rule's paths according to the NameNodes */
  RuleStatus status(BlockRules.Total known) {
    return new RuleStatus(rule.name(), rule.action().name().toLowerCase(Locale.ROOT),
        rule.quota() == Rule.NO_QUOTA ? null : Long.valueOf(rule.quota()), pages.get(),
        bytes.get(), known.blocks(), known.bytes(), reads.sum(), hits.sum(),
        rejected.sum(), evicted.sum());
  }
}
