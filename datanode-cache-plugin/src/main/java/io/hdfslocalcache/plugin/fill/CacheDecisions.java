/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.invalidation.Invalidator;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleAction;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/** What a fill asks before each page: switch, health, limiter and rules may say no at any time. */
public final class CacheDecisions implements FillDecisions {

  private final BooleanSupplier isOn;
  private final SsdDirectories directories;
  private final CacheRateLimiter limiter;
  private final RuleKeeper rules;
  private final Invalidator invalidator;
  private final FillPace pace;
  private final LocalCacheMetrics metrics;

  public CacheDecisions(BooleanSupplier isOn, SsdDirectories directories, CacheRateLimiter limiter,
      RuleKeeper rules, Invalidator invalidator, FillPace pace, LocalCacheMetrics metrics) {
    this.isOn = isOn;
    this.directories = directories;
    this.limiter = limiter;
    this.rules = rules;
    this.invalidator = invalidator;
    this.pace = pace;
    this.metrics = metrics;
  }

  @Override
  public boolean mayFill(BlockKey key) {
    return isOn.getAsBoolean() && directories.mayFill(key);
  }

  @Override
  public boolean admits(BlockKey key, RuleAccount rule) {
    return isNormal(rule) ? limiter.admits(key.blockPoolId(), key.blockId())
        : rule.action() != RuleAction.NEVER;
  }

  @Override
  public boolean admits(BlockKey key, RuleAccount rule, int page) {
    return isNormal(rule) ? limiter.admits(key.blockPoolId(), key.blockId(), page)
        : limiter.mayWrite();
  }

  private static boolean isNormal(RuleAccount rule) {
    return rule == null || rule.action() == RuleAction.NORMAL;
  }

  @Override
  public void awaitPace(long bytes) throws InterruptedException {
    long begin = System.nanoTime();
    try {
      pace.await(bytes);
    } finally {
      metrics.add(Event.FILL_WAIT_MILLIS,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
  }

  @Override
  public boolean reserve(RuleAccount rule, SsdDirectory directory, long bytes) {
    return rules.rules().reserve(rule, directory, bytes);
  }

  @Override
  public void release(RuleAccount rule, long bytes) {
    rules.rules().release(rule, bytes);
  }

  @Override
  public void writing(long bytes) {
    limiter.written(bytes);
  }

  @Override
  public void killed(CachedBlock block, String why) {
    invalidator.remove(block, why);
  }
}
