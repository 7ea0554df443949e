/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.Capacity;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Mistakes;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
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
 * and window. A change is checked like the configuration, and applied or refused as a whole. It
 * lasts until the DataNode restarts or, if saved, until the configured value of its key changes.
 * Reads continue meanwhile without a lock.
 */
public final class RuntimeSettings {

  /**
   * A setting that can be changed while the DataNode runs.
   *
   * @param key the whole key, or {@code pins}, which no key configures
   * @param value the value in force, as in the configuration
   * @param configured the configured value
   * @param kept the value after a restart; null: the configured value
   */
  public record SettingView(String key, String value, String configured, String kept) {
  }

  /**
   * A changed setting.
   *
   * @param key the whole key
   * @param before the previous value
   * @param after the value in force now
   * @param configured the configured value
   * @param kept the value after a restart; null: the configured value
   * @param note what else an operator should know; empty if there is nothing
   */
  public record Change(String key, String before, String after, String configured, String kept,
      String note) {

    /** @return the same with one more note, unless that is empty. */
    public Change and(String more) {
      return more.isEmpty() ? this : new Change(
          key, before, after, configured, kept, note.isEmpty() ? more : note + "; " + more);
    }
  }

  /** The keys, in display order. */
  private static final List<String> KEYS = List.of(
      LocalCacheKeys.CAPACITY, WriteBudgetRateLimit.BUDGET_KEY, BucketTimeRateLimit.THRESHOLD_KEY,
      BucketTimeRateLimit.WINDOW_KEY);
  /** All keys with their defaults. */
  private static final Map<String, String> ALL = all();

  private static final Map<String, String> SHORT_NAMES = Map.of(
      "threshold", BucketTimeRateLimit.THRESHOLD_KEY, "window", BucketTimeRateLimit.WINDOW_KEY);

  private static final Logger LOG = LoggerFactory.getLogger(RuntimeSettings.class);

  private final RateLimiterClock clock;
  private final Configuration configured;
  private final KeptSettings kept;
  private final SafeRateLimiter limiter;
  private volatile Configuration inForce;
  /** Null until the SSDs are open. */
  private volatile SsdDirectories directories;
  private Map<String, String> restored = Map.of();
  /** Keys that a command has changed since the start: saved values do not apply to them. */
  private final Set<String> commanded = new HashSet<>();

  /**
   * Creates the configured rate limiter.
   *
   * @param conf the DataNode's configuration; not changed
   * @param failed is told each error of the limiter
   * @throws BadConfigurationException if the limiter cannot be made
   */
  public RuntimeSettings(Configuration conf, RateLimiterClock clock, Consumer<Throwable> failed)
      throws BadConfigurationException {
    this.clock = clock;
    this.configured = new Configuration(conf);
    this.kept = new KeptSettings(configured);
    this.inForce = configured;
    try {
      this.limiter = new SafeRateLimiter(
          RateLimiterFactory.create(limiterConfig(configured), clock), clock, failed);
    } catch (IllegalArgumentException e) {
      LOG.debug("Local cache: could not create the rate limiter", e);
      throw mistakes(e.getMessage());
    }
  }

  /** The limiter throws at its first mistake, so the others are found by each key alone. */
  private BadConfigurationException mistakes(String first) {
    Mistakes mistakes = new Mistakes();
    mistakes.add(first);
    Map<String, String> keys = RateLimiterFactory.keys();
    for (String key : keys.keySet()) {
      try {
        // An operator's own limiter gets all of its own keys: it may require them.
        RateLimiterFactory.create(RateLimiterConfig.of(one -> one.equals(key)
            || one.equals(RateLimiterFactory.CLASS_KEY) || !keys.containsKey(one)
            ? configured.getTrimmed(one) : null), clock);
      } catch (IllegalArgumentException e) {
        mistakes.add(e.getMessage());
      }
    }
    return mistakes.all();
  }

  private static RateLimiterConfig limiterConfig(Configuration conf) {
    return RateLimiterConfig.of(conf::getTrimmed);
  }

  private static Map<String, String> all() {
    Map<String, String> all = new HashMap<>(LocalCacheKeys.defaults());
    all.putAll(RateLimiterFactory.keys());
    return all;
  }

  /** @return the rate limiter; the same object after all changes. */
  public SafeRateLimiter limiter() {
    return limiter;
  }

  /** The SSDs are open: from now on settings can be changed. */
  public synchronized void opened(SsdDirectories opened) {
    directories = opened;
    restore();
  }

  /**
   * Applies the saved settings, before an SSD is opened: its pages are restored as far as its
   * capacity allows. The saved switch is applied as soon as it is read, now or later.
   *
   * @param onOff the switch, whose state is saved too
   * @param datanodeUuid names this DataNode's directory on each SSD
   * @return the configuration with the SSDs and the capacity of before the restart
   * @throws BadConfigurationException if the capacity in force cannot be read
   */
  public LocalCacheConfig open(KeptState state, OnOff onOff, String datanodeUuid,
      LocalCacheConfig config) throws BadConfigurationException {
    kept.open(state, onOff, datanodeUuid, config.configuredDirectories());
    restore();
    List<Path> inUse = kept.directories();
    kept.all().forEach((key, value) -> {
      if (KEYS.contains(key) && !restored.containsKey(key)) {
        LOG.warn("Local cache: the saved {} = {} has no effect", key, value);
      }
    });
    if (!inUse.equals(config.directories())) {
      LOG.info("Local cache: uses {}, set by an earlier command", inUse);
    }
    return config.withDirectories(inUse).withCapacity(LocalCacheConfig.capacity(inForce));
  }

  /**
   * Applies the saved settings as far as they have changed, except those that a command has changed
   * since the start, the switch, which follows by itself, and the SSDs in use, which the start
   * determines.
   */
  public synchronized void restore() {
    Map<String, String> before = restored;
    // SSDs that were absent in turn may have saved some that have no effect beside others.
    restored = used(kept.all());
    restored.keySet().removeAll(commanded);
    // The last key first: without the budget, threshold and window would be the only limit of writes.
    for (int i = KEYS.size() - 1; i >= 0; i--) {
      String key = KEYS.get(i);
      if (before.containsKey(key) && !restored.containsKey(key) && !commanded.contains(key)) {
        restore(key, null);
      }
    }
    // The first key first: threshold and window are refused beside a budget.
    restored.forEach((key, value) -> {
      if (!value.equals(before.get(key))) {
        restore(key, value);
      }
    });
  }

  /** @param value null: it is no longer saved */
  private void restore(String key, String value) {
    try {
      if (value == null) {
        checkReset(key);
        apply(key, configured.getTrimmed(key));
        LOG.info("Local cache: {} is as configured again, because of an earlier command", key);
      } else {
        checkEffect(key(key), value, false);
        apply(key, value);
        LOG.info("Local cache: {} = {}, set by an earlier command", key, value);
      }
    } catch (IllegalArgumentException e) {
      LOG.warn("Local cache: cannot use the saved {} = {}: {}", key, value, e.getMessage());
    }
  }

  /** @return the settings that can be changed, with the values in force, and SSDs that were. */
  public List<SettingView> inForce() {
    Configuration now = inForce;
    Map<String, String> used = used(kept.all());
    List<SettingView> all = new ArrayList<>(KEYS.stream().map(key -> new SettingView(key,
        value(now, key), value(configured, key), saved(key, used))).toList());
    kept.view(directories.inUse()).ifPresent(all::add);
    return all;
  }

  /** An empty value is shown by its meaning, as where it is in force. */
  private String saved(String key, Map<String, String> used) {
    String saved = used.get(key);
    return saved == null || !saved.isEmpty() ? saved : value(restarted(used), key);
  }

  private static String value(Configuration conf, String key) {
    String value = conf.getTrimmed(key, ALL.get(key));
    if (!key.equals(WriteBudgetRateLimit.BUDGET_KEY) || !value.isEmpty()) {
      return value;
    }
    return hasBudget(conf) ? "the capacity" : "0";
  }

  /**
   * Changes a setting. Waits for an SSD, at most as long as a write may take.
   *
   * @param name the key, with or without {@code dfs.datanode.local.cache.}; threshold and window
   *     also by these words alone
   * @param value in the format of the configuration
   * @param keep whether it survives a restart
   * @throws IllegalArgumentException with key, value and what is allowed; nothing was changed then
   */
  public Change set(String name, String value, boolean keep) {
    String key = key(name);
    checkSizes(key, value.strip());
    checkEffect(key, value.strip(), keep);
    if (keep) {
      checkSaved(key, value.strip());
    }
    return keep ? save(key, value.strip(), value.strip()) : command(key, value.strip());
  }

  /**
   * Resets a setting permanently to its configured value.
   *
   * @param name as in {@link #set}
   * @throws IllegalArgumentException if that is not possible; nothing was changed
   */
  public Change reset(String name) {
    String key = key(name);
    checkReset(key);
    checkSaved(key, null);
    return save(key, configured.getTrimmed(key), null);
  }

  /** Without a budget, a threshold and a window do not limit writes. */
  private synchronized void checkReset(String key) {
    if (!key.equals(WriteBudgetRateLimit.BUDGET_KEY) || configured.getTrimmed(key) != null) {
      return;
    }
    Configuration wanted = new Configuration(inForce);
    wanted.unset(key);
    if (hasBudget(configured) && !hasBudget(wanted)) {
      throw new IllegalArgumentException(key + " cannot be reset while threshold or window are set: "
          + "writes would have no limit; reset these first");
    }
  }

  /**
   * Saves a change before applying it: a change that cannot be saved must not allow more writes
   * even for a moment. Not synchronized, because it waits for an SSD.
   */
  private Change save(String key, String value, String saved) {
    String before = kept.value(key);
    try {
      kept.keep(key, saved);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          key + " cannot be saved, so it was not changed: " + e.getMessage(), e);
    }
    try {
      return command(key, value).and(kept.doubt());
    } catch (RuntimeException e) {
      try {
        kept.put(key, before);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private synchronized Change command(String key, String value) {
    if (directories == null) {
      throw new IllegalArgumentException("the DataNode is still starting");
    }
    Change change = apply(key, value);
    commanded.add(key);
    return change;
  }

  /** @param value null: as if the key was not configured */
  private synchronized Change apply(String key, String value) {
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
        key, before, value(wanted, key), value(configured, key),
        saved(key, used(kept.all())), note);
  }

  private static String key(String name) {
    String key = name.startsWith(LocalCacheKeys.PREFIX) ? name
        : SHORT_NAMES.getOrDefault(name, LocalCacheKeys.PREFIX + name);
    if (!KEYS.contains(key)) {
      throw new IllegalArgumentException((ALL.containsKey(key)
          ? key + " cannot be changed while the DataNode runs" : "unknown key " + name)
          + "; keys that can be changed: " + String.join(", ", KEYS));
    }
    return key;
  }

  /** @return the saved settings. */
  KeptSettings kept() {
    return kept;
  }

  private String changeCapacity(Configuration wanted) throws BadConfigurationException {
    Capacity capacity = LocalCacheConfig.capacity(wanted);
    if (directories == null) {
      return "";
    }
    Map<Path, Long> tooMuch = directories.changeCapacity(capacity);
    List<String> notes = new ArrayList<>();
    long evicted = 0;
    for (Map.Entry<Path, Long> ssd : tooMuch.entrySet()) {
      String trouble = directories.trouble(ssd.getKey());
      if (trouble.isEmpty()) {
        evicted += ssd.getValue();
      } else {
        notes.add("pages of " + Sizes.text(ssd.getValue()) + " stay on " + ssd.getKey()
            + " until they can be deleted: " + trouble);
      }
    }
    if (evicted > 0) {
      notes.add(0, "pages of " + Sizes.text(evicted) + " are evicted within ten minutes");
    }
    return String.join("; ", notes);
  }

  /** @return a warning about each key of the rate limiter that is valid, but hardly meant. */
  public static List<String> doubts(Configuration conf, long pageSize) {
    Map<String, String> doubts = new TreeMap<>();
    KEYS.stream().filter(key -> conf.getTrimmed(key) != null).forEach(
        key -> doubts.put(key, whyWithoutEffect(conf, key)));
    doubts.computeIfPresent(WriteBudgetRateLimit.BUDGET_KEY,
        (key, why) -> why.isEmpty() ? doubt(conf, pageSize) : why);
    return doubts.entrySet().stream().filter(doubt -> !doubt.getValue().isEmpty()).map(doubt ->
        doubt.getKey() + " = " + conf.getTrimmed(doubt.getKey()) + ": " + doubt.getValue()).toList();
  }

  private static String doubt(Configuration conf, long pageSize) {
    // As the limiter reads it, so that a wrong value has the same message.
    long bytes = limiterConfig(conf).getBytes(WriteBudgetRateLimit.BUDGET_KEY, 0);
    return bytes > 0 && bytes < pageSize
        ? "is less than one page per day; is its unit missing?" : "";
  }

  private String changeLimiter(Configuration wanted) throws BadConfigurationException {
    RateLimiterConfig config = limiterConfig(wanted);
    List<String> notes = new ArrayList<>();
    notes.add(doubt(wanted, LocalCacheConfig.pageSize(wanted)));
    KEYS.stream().filter(key -> wanted.getTrimmed(key) != null
        && whyWithoutEffect(inForce, key).isEmpty() && !whyWithoutEffect(wanted, key).isEmpty())
        .forEach(key -> notes.add(key + " = " + wanted.getTrimmed(key) + " has no effect now"));
    if (!limiter.reconfigure(config)) {
      notes.add(limiter.exchange(RateLimiterFactory.create(config, clock))
          ? "reads that still count stay" : "counted reads are forgotten");
    }
    notes.removeIf(String::isEmpty);
    return String.join("; ", notes);
  }

  /** Refuses a capacity that might not fit; a share fits whatever the size is. */
  private synchronized void checkSizes(String key, String value) {
    if (key.equals(LocalCacheKeys.CAPACITY) && directories != null && !value.endsWith("%")
        && !directories.all().stream().map(SsdDirectory::path).toList()
            .containsAll(directories.inUse())) {
      throw RateLimiterConfig.invalid(key, value,
          "must be a percentage such as 10% until all SSDs are open; see status");
    }
  }

  /** Refuses a change that would have no effect, or a wider one than its key says. */
  private synchronized void checkEffect(String key, String value, boolean keep) {
    String why = whyWithoutEffect(inForce, key);
    if (!why.isEmpty()) {
      throw RateLimiterConfig.invalid(key, value, why);
    }
    String whyLater = keep ? whyWithoutEffect(restarted(used(kept.all())), key) : "";
    if (!whyLater.isEmpty()) {
      throw RateLimiterConfig.invalid(key, value, "after a restart " + whyLater
          + " with --persist");
    }
  }

  /**
   * Refuses to save a budget beside a saved threshold or window, which each restart would refuse.
   *
   * @param value null: it is no longer saved
   */
  private synchronized void checkSaved(String key, String value) {
    if (!key.equals(WriteBudgetRateLimit.BUDGET_KEY)) {
      return;
    }
    Map<String, String> saved = kept.all();
    Map<String, String> others = used(saved);
    if (value == null) {
      saved.remove(key);
    } else {
      saved.put(key, value);
    }
    Map<String, String> after = used(saved);
    others.keySet().removeAll(after.keySet());
    others.remove(key);
    others.forEach((other, its) -> {
      throw RateLimiterConfig.invalid(key, value(restarted(after), key), "the saved " + other + " = "
          + its + " would have no effect: first reset that");
    });
  }

  /** @return those of some saved settings that a restart uses, in its order. */
  private Map<String, String> used(Map<String, String> saved) {
    Map<String, String> used = new LinkedHashMap<>();
    KEYS.stream().filter(key -> saved.containsKey(key) && isUsed(key, saved.get(key), used))
        .forEach(key -> used.put(key, saved.get(key)));
    return used;
  }

  private boolean isUsed(String key, String value, Map<String, String> others) {
    try {
      Configuration restarted = restarted(others);
      boolean hasEffect = whyWithoutEffect(restarted, key).isEmpty();
      restarted.set(key, value);
      // Asks for the budget, which another version may have saved in another format.
      hasBudget(restarted);
      return hasEffect;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** @return the configuration with which a restart begins. @param used the saved settings it uses */
  private Configuration restarted(Map<String, String> used) {
    Configuration restarted = new Configuration(configured);
    used.forEach(restarted::set);
    return restarted;
  }

  private static String whyWithoutEffect(Configuration conf, String key) {
    if (key.equals(LocalCacheKeys.CAPACITY)) {
      return "";
    }
    String name = conf.getTrimmed(RateLimiterFactory.CLASS_KEY, RateLimiterFactory.CLASS_DEFAULT);
    return !RateLimiterFactory.hasEffect(name, key)
        ? "has no effect on " + RateLimiterFactory.CLASS_KEY + " = " + name
        : !key.equals(WriteBudgetRateLimit.BUDGET_KEY) && hasBudget(conf)
        ? "has no effect while there is a write budget; set " + WriteBudgetRateLimit.BUDGET_KEY
            + " to 0 first" : "";
  }

  private static boolean hasBudget(Configuration conf) {
    return RateLimiterFactory.hasBudget(limiterConfig(conf));
  }
}
