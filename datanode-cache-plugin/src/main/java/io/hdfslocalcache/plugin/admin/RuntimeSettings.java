/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.admin.CacheStatus.SettingView;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LimiterConfig;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.CapacityChange;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings that operators may change while the DataNode runs: capacity, write budget, threshold
 * and window. A change is checked as the configuration is, then put in force, or refused as a whole.
 * It lasts until the DataNode restarts. Reads go on meanwhile, and take no lock for it.
 */
public final class RuntimeSettings {

  /**
   * A setting that was changed while the DataNode runs.
   *
   * @param key the whole key
   * @param before what was in force
   * @param after what is in force now
   * @param configured what the configuration says, which comes back with a restart
   * @param note what else an operator should know; empty if there is nothing
   */
  public record Change(String key, String before, String after, String configured, String note) {
  }

  /** The keys, in the order in which they are shown. */
  private static final List<String> KEYS = List.of(
      LocalCacheKeys.CAPACITY, WriteBudgetRateLimit.BUDGET_KEY, BucketTimeRateLimit.THRESHOLD_KEY,
      BucketTimeRateLimit.WINDOW_KEY);
  /** All there are, with their defaults. */
  private static final Map<String, String> ALL = all();

  private static final Map<String, String> SHORT_NAMES = Map.of(
      "threshold", BucketTimeRateLimit.THRESHOLD_KEY, "window", BucketTimeRateLimit.WINDOW_KEY);

  private final RateLimiterClock clock;
  private final Configuration configured;
  private final SafeRateLimiter limiter;
  private volatile Configuration inForce;
  private SsdDirectories directories;

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
    this.inForce = configured;
    try {
      this.limiter = new SafeRateLimiter(
          RateLimiterFactory.create(LimiterConfig.of(conf), clock), clock);
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException(e.getMessage(), e);
    }
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

  /** The SSDs are open: from now on settings can be changed. */
  public synchronized void opened(SsdDirectories opened) {
    directories = opened;
  }

  /** @return the settings that can be changed, as they are in force. */
  public List<SettingView> inForce() {
    Configuration now = inForce;
    return KEYS.stream()
        .map(key -> new SettingView(key, value(now, key), value(configured, key))).toList();
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
   * @param name the key, with or without {@code dfs.datanode.local.cache.}; threshold and window also
   *     by these words alone
   * @param value as the configuration would have it
   * @throws IllegalArgumentException with key, value and what is allowed; nothing was changed then
   */
  public synchronized Change set(String name, String value) {
    String key = key(name);
    if (directories == null) {
      throw new IllegalArgumentException("the DataNode is still starting");
    }
    Configuration wanted = new Configuration(inForce);
    wanted.set(key, value.strip());
    String note;
    try {
      note = key.equals(LocalCacheKeys.CAPACITY) ? changeCapacity(wanted)
          : changeLimiter(key, wanted);
    } catch (BadConfigurationException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    String before = value(inForce, key);
    inForce = wanted;
    return new Change(key, before, value(wanted, key), value(configured, key), note);
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

  private String changeCapacity(Configuration wanted) throws BadConfigurationException {
    LocalCacheConfig config = LocalCacheConfig.from(wanted);
    CapacityChange change = CapacityChange.of(directories, config);
    // The write budget is the capacity unless it is set.
    limiter.reconfigure(LimiterConfig.of(wanted));
    change.apply();
    long tooMuch = directories.all().stream().mapToLong(ssd -> ssd.usedBytes()).sum()
        - change.bytes();
    return tooMuch > 0 ? "pages of " + tooMuch + " bytes leave within ten minutes" : "";
  }

  private String changeLimiter(String key, Configuration wanted) {
    RateLimiterConfig config = LimiterConfig.of(wanted);
    checkEffect(key, wanted);
    if (limiter.reconfigure(config)) {
      return "";
    }
    return limiter.exchange(RateLimiterFactory.create(config, clock))
        ? "reads that were counted go on to count" : "reads that were counted so far are forgotten";
  }

  /** Refuses a change that would change nothing, or more than its key says. */
  private void checkEffect(String key, Configuration wanted) {
    String name = wanted.getTrimmed(RateLimiterFactory.CLASS_KEY, RateLimiterFactory.CLASS_DEFAULT);
    if (!RateLimiterFactory.hasEffect(name, key)) {
      throw RateLimiterConfig.invalid(key, wanted.getTrimmed(key),
          "has no effect on " + RateLimiterFactory.CLASS_KEY + " = " + name);
    }
    if (!key.equals(WriteBudgetRateLimit.BUDGET_KEY) && hasBudget(inForce)) {
      throw RateLimiterConfig.invalid(key, wanted.getTrimmed(key), "has no effect while a write "
          + "budget decides; set " + WriteBudgetRateLimit.BUDGET_KEY + " to 0 first");
    }
  }

  private static boolean hasBudget(Configuration conf) {
    return RateLimiterFactory.hasBudget(LimiterConfig.of(conf));
  }
}
