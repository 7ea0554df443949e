/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.ssd.CapacityChange;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that operators may change while the DataNode runs: capacity, write budget, threshold
 * and window. A change is checked as the configuration is, then put in force, or refused as a
 * whole. It lasts until the DataNode restarts, or is kept, until the configuration says something
 * new of its key: who edits that later means it. Reads go on meanwhile, and take no lock for it.
 */
public final class RuntimeSettings {

  /**
   * A setting that can be changed while the DataNode runs.
   *
   * @param key the whole key
   * @param value what is in force, as it would be configured
   * @param configured what the configuration says
   * @param kept what comes back with a restart; null: what the configuration says
   */
  public record SettingView(String key, String value, String configured, String kept) {
  }

  /**
   * A setting that was changed while the DataNode runs.
   *
   * @param key the whole key
   * @param before what was in force
   * @param after what is in force now
   * @param configured what the configuration says
   * @param kept what comes back with a restart; null: what the configuration says
   * @param note what else an operator should know; empty if there is nothing
   */
  public record Change(String key, String before, String after, String configured, String kept,
      String note) {
  }

  /** The keys, in the order in which they are shown. */
  private static final List<String> KEYS = List.of(
      LocalCacheKeys.CAPACITY, WriteBudgetRateLimit.BUDGET_KEY, BucketTimeRateLimit.THRESHOLD_KEY,
      BucketTimeRateLimit.WINDOW_KEY);
  /** All there are, with their defaults. */
  private static final Map<String, String> ALL = all();

  private static final Map<String, String> SHORT_NAMES = Map.of(
      "threshold", BucketTimeRateLimit.THRESHOLD_KEY, "window", BucketTimeRateLimit.WINDOW_KEY);

  private static final Logger LOG = LoggerFactory.getLogger(RuntimeSettings.class);

  private final RateLimiterClock clock;
  private final Configuration configured;
  private final KeptSettings kept;
  private final SafeRateLimiter limiter;
  private volatile Configuration inForce;
  private SsdDirectories directories;
  private Map<String, String> restored = Map.of();

  /**
   * Makes the rate limiter that the configuration names.
   *
   * @param conf the DataNode's configuration; not changed
   * @throws BadConfigurationException if the limiter cannot be made
   */
  public RuntimeSettings(Configuration conf, RateLimiterClock clock)
      throws BadConfigurationException {
    this.clock = clock;
    this.configured = new Configuration(conf);
    this.kept = new KeptSettings(configured);
    this.inForce = configured;
    try {
      this.limiter = new SafeRateLimiter(
          RateLimiterFactory.create(limiterConfig(configured), clock), clock);
    } catch (IllegalArgumentException e) {
      LOG.debug("Local cache: could not create the rate limiter", e);
      throw new BadConfigurationException(e.getMessage());
    }
  }

  private static RateLimiterConfig limiterConfig(Configuration conf) {
    return RateLimiterConfig.of(conf::getTrimmed);
  }

  private static Map<String, String> all() {
    Map<String, String> all = new HashMap<>(LocalCacheKeys.defaults());
    all.putAll(RateLimiterFactory.keys());
    return all;
  }

  /** @return the rate limiter, which stays the same object whatever is changed. */
  public SafeRateLimiter limiter() {
    return limiter;
  }

  /** The SSDs are open: puts what was kept in force; from now on settings can be changed. */
  public synchronized void opened(SsdDirectories opened) {
    directories = opened;
    restore();
  }

  /**
   * Takes over the switch that was kept, and the settings when the SSDs are {@link #opened}.
   *
   * @param onOff whose state is kept, too
   */
  public void open(KeptState state, OnOff onOff) {
    kept.open(state, onOff);
  }

  /**
   * Puts what was kept in force, as far as it was not known yet. Which SSDs are in use is asked
   * before they are opened; the switch is restored already.
   */
  public synchronized void restore() {
    Map<String, String> before = restored;
    restored = kept.all();
    restored.forEach((key, value) -> {
      if (!key.equals(LocalCacheKeys.DIRECTORIES) && !key.equals(LocalCacheKeys.ENABLED)
          && !value.equals(before.get(key))) {
        restore(key, value);
      }
    });
  }

  private void restore(String key, String value) {
    try {
      checkEffect(key(key), value);
      apply(key, value);
      LOG.info("Local cache: {} = {}, kept by an earlier command", key, value);
    } catch (IllegalArgumentException e) {
      LOG.warn("Local cache: {} = {}, kept by an earlier command, cannot be used: {}", key, value,
          e.getMessage());
    }
  }

  /** @return the settings that can be changed, as they are in force. */
  public List<SettingView> inForce() {
    Configuration now = inForce;
    return KEYS.stream().map(key -> new SettingView(key, value(now, key),
        value(configured, key), kept.value(key))).toList();
  }

  private static String value(Configuration conf, String key) {
    String value = conf.getTrimmed(key, ALL.get(key));
    if (!key.equals(WriteBudgetRateLimit.BUDGET_KEY) || !value.isEmpty()) {
      return value;
    }
    return hasBudget(conf) ? "the capacity" : "0";
  }

  /**
   * Changes a setting. What waits for an SSD here is at most what a write may take.
   *
   * @param name the key, with or without {@code dfs.datanode.local.cache.}; threshold and window
   *     also by these words alone
   * @param value as the configuration would have it
   * @param keep whether it comes back with a restart
   * @throws IllegalArgumentException with key, value and what is allowed; nothing was changed then
   */
  public Change set(String name, String value, boolean keep) {
    String key = key(name);
    String before;
    Change change;
    synchronized (this) {
      before = inForce.getTrimmed(key);
      checkEffect(key, value.strip());
      change = apply(key, value.strip());
    }
    return keep ? kept(change, before, value.strip()) : change;
  }

  /**
   * Puts what the configuration says in force again, for good.
   *
   * @param name as in {@link #set}
   * @throws IllegalArgumentException if that is not possible, and nothing was changed
   */
  public Change reset(String name) {
    String key = key(name);
    String before = inForce.getTrimmed(key);
    return kept(apply(key, configured.getTrimmed(key)), before, null);
  }

  /** Without the monitor: this waits for an SSD. */
  private Change kept(Change change, String before, String value) {
    try {
      kept.put(change.key(), value);
    } catch (IOException e) {
      apply(change.key(), before);
      throw new IllegalArgumentException(
          change.key() + " cannot be saved, so it was not changed: " + e.getMessage(), e);
    }
    return new Change(change.key(), change.before(), change.after(), change.configured(),
        kept.value(change.key()), change.note());
  }

  /** @param value null: none, as if nothing was configured */
  private synchronized Change apply(String key, String value) {
    if (directories == null) {
      throw new IllegalArgumentException("the DataNode is still starting");
    }
    Configuration wanted = new Configuration(inForce);
    if (value == null) {
      wanted.unset(key);
    } else {
      wanted.set(key, value);
    }
    String note;
    try {
      note = key.equals(LocalCacheKeys.CAPACITY) ? changeCapacity(wanted) : changeLimiter(wanted);
    } catch (BadConfigurationException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    String before = value(inForce, key);
    inForce = wanted;
    return new Change(
        key, before, value(wanted, key), value(configured, key), kept.value(key), note);
  }

  private static String key(String name) {
    String key = name.startsWith(LocalCacheKeys.PREFIX) ? name
        : SHORT_NAMES.getOrDefault(name, LocalCacheKeys.PREFIX + name);
    if (!KEYS.contains(key)) {
      throw new IllegalArgumentException((ALL.containsKey(key)
          ? key + " cannot be changed while the DataNode runs" : "unknown key " + name)
          + "; these can: " + String.join(", ", KEYS));
    }
    return key;
  }

  /** @return the configuration with the SSDs that were in use before the restart. */
  public LocalCacheConfig withDirectories(LocalCacheConfig config) {
    return config.withDirectories(kept.directories(config));
  }

  /** @return what keeps the SSDs in use over a restart. */
  KeptSettings kept() {
    return kept;
  }

  private String changeCapacity(Configuration wanted) throws BadConfigurationException {
    CapacityChange change =
        CapacityChange.of(directories, LocalCacheConfig.capacity(wanted));
    change.apply();
    long tooMuch = directories.all().stream().mapToLong(ssd -> ssd.usedBytes()).sum()
        - change.bytes();
    return tooMuch > 0
        ? "pages of " + Sizes.text(tooMuch) + " leave within ten minutes" : "";
  }

  /** @return what may be wrong with the write budget; empty if nothing. */
  public static String doubt(Configuration conf, long pageSize) {
    String budget = conf.getTrimmed(WriteBudgetRateLimit.BUDGET_KEY, "");
    long bytes = budget.isEmpty() ? 0 : conf.getLongBytes(WriteBudgetRateLimit.BUDGET_KEY, 0);
    return bytes > 0 && bytes < pageSize
        ? "is less than a page in a day; is its unit missing?" : "";
  }

  private String changeLimiter(Configuration wanted) throws BadConfigurationException {
    RateLimiterConfig config = limiterConfig(wanted);
    if (limiter.reconfigure(config)) {
      return doubt(wanted, LocalCacheConfig.pageSize(wanted));
    }
    return limiter.exchange(RateLimiterFactory.create(config, clock))
        ? "counted reads stay" : "counted reads are forgotten";
  }

  /** Refuses a change that would change nothing, or more than its key says. */
  private void checkEffect(String key, String value) {
    if (key.equals(LocalCacheKeys.CAPACITY)) {
      return;
    }
    String name =
        inForce.getTrimmed(RateLimiterFactory.CLASS_KEY, RateLimiterFactory.CLASS_DEFAULT);
    if (!RateLimiterFactory.hasEffect(name, key)) {
      throw RateLimiterConfig.invalid(
          key, value, "has no effect on " + RateLimiterFactory.CLASS_KEY + " = " + name);
    }
    if (!key.equals(WriteBudgetRateLimit.BUDGET_KEY) && hasBudget(inForce)) {
      throw RateLimiterConfig.invalid(key, value, "has no effect while a write "
          + "budget decides; set " + WriteBudgetRateLimit.BUDGET_KEY + " to 0 first");
    }
  }

  private static boolean hasBudget(Configuration conf) {
    return RateLimiterFactory.hasBudget(limiterConfig(conf));
  }
}
