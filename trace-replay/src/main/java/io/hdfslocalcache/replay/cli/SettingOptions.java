/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import picocli.CommandLine.Option;

/** Which local caches are simulated: one for every combination of the values. */
final class SettingOptions {

  @Option(names = "--capacity", split = ",", paramLabel = "SIZE", defaultValue = "4t",
      converter = Bytes.class, description = "What pages may take on the SSD (default: 4t).")
  private List<Long> capacities;

  @Option(names = "--page-size", split = ",", paramLabel = "SIZE", defaultValue = "1m",
      converter = Bytes.class, description = "Bytes of a page (default: 1m).")
  private List<Long> pageSizes;

  @Option(names = "--limiter", split = ",", paramLabel = "CLASS",
      defaultValue = Limiter.WRITE_BUDGET, description = "Rate limiters, as for "
          + "dfs.datanode.local.cache.rate.limiter.class (default: ${DEFAULT-VALUE}).")
  private List<String> limiters;

  @Option(names = "--budget", split = ",", paramLabel = "SIZE", converter = Bytes.class,
      description = "What write-budget may write in a day (default: what pages may take).")
  private List<Long> budgets = List.of();

  @Option(names = {"-x", "--threshold"}, split = ",", paramLabel = "X", description =
      "dfs.datanode.local.cache.rate.limiter.threshold, but for write-budget (default: what the "
          + "limiter has).")
  private List<Integer> thresholds = List.of();

  @Option(names = {"-y", "--window"}, split = ",", paramLabel = "Y", description =
      "dfs.datanode.local.cache.rate.limiter.window, but for write-budget (default: what the "
          + "limiter has).")
  private List<String> windows = List.of();

  /**
   * @param keys other keys of the limiters
   * @return every combination
   */
  List<Setting> settings(Map<String, String> keys) {
    return settings(limiters(keys));
  }

  /** @return those with which others are compared: no limiter, in every size. */
  List<Setting> bounds() {
    return settings(List.of(Limiter.ADMIT_ALL));
  }

  private List<Setting> settings(List<Limiter> someLimiters) {
    List<Setting> settings = new ArrayList<>();
    for (Limiter limiter : someLimiters) {
      for (long pageSize : pageSizes) {
        Checks.pageSize(pageSize);
        capacities.forEach(capacity ->
            settings.add(new Setting(limiter, (int) pageSize, capacity)));
      }
    }
    return settings;
  }

  private List<Limiter> limiters(Map<String, String> keys) {
    List<Limiter> all = new ArrayList<>();
    for (String name : limiters) {
      if (name.equals(Limiter.ADMIT_ALL.className())) {
        all.add(Limiter.ADMIT_ALL);
      } else {
        addAll(name, keys, all);
      }
    }
    return all;
  }

  private void addAll(String className, Map<String, String> keys, List<Limiter> all) {
    if (className.equals(Limiter.WRITE_BUDGET)) {
      // With X or Y and no budget it would be bucket-time.
      for (String budget : orDefault(budgets, false, "")) {
        Map<String, String> configured = new HashMap<>(keys);
        putUnlessEmpty(WriteBudgetRateLimit.BUDGET_KEY, budget, configured);
        all.add(new Limiter(className, Map.copyOf(configured)).checked());
      }
      return;
    }
    boolean hasDefaults = className.equals(Limiter.BUCKET_TIME);
    for (String x : orDefault(thresholds, hasDefaults, BucketTimeRateLimit.THRESHOLD_DEFAULT)) {
      for (String y : orDefault(windows, hasDefaults, BucketTimeRateLimit.WINDOW_DEFAULT)) {
        Map<String, String> configured = new HashMap<>(keys);
        putUnlessEmpty(BucketTimeRateLimit.THRESHOLD_KEY, x, configured);
        putUnlessEmpty(BucketTimeRateLimit.WINDOW_KEY, y, configured);
        all.add(new Limiter(className, Map.copyOf(configured)).checked());
      }
    }
  }

  /** @return what was given; if nothing was, the default or nothing at all. */
  private static List<String> orDefault(List<?> given, boolean hasDefault, Object byDefault) {
    if (given.isEmpty()) {
      return List.of(hasDefault ? byDefault.toString() : "");
    }
    return given.stream().map(Object::toString).collect(Collectors.toList());
  }

  private static void putUnlessEmpty(String key, String value, Map<String, String> keys) {
    if (!value.isEmpty()) {
      keys.put(key, value);
    }
  }
}
