/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Result.ResultTable;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.text.Text.Checks.Bytes;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Simulates local caches of several sizes and settings on a trace. */
@Command(name = "simulate", description = "Simulates local caches on a trace: one for each size, "
    + "page size and limiter. For comparison, adds one that admits all blocks, the clairvoyant "
    + "bound, and the best possible with each write budget. Options may have several values, "
    + "separated by commas.")
final class SimulateCommand implements Callable<Integer> {

  @Mixin
  private Inputs inputs;

  @Option(names = "--capacity", split = ",", paramLabel = "SIZE", defaultValue = "4t",
      converter = Bytes.class, description = "Capacity for pages on the SSD (default: 4t).")
  private List<Long> capacities;

  @Option(names = "--page-size", split = ",", paramLabel = "SIZE", defaultValue = "1m",
      converter = Bytes.class, description = "Bytes of a page (default: 1m).")
  private List<Long> pageSizes;

  @Option(names = "--limiter", split = ",", paramLabel = "CLASS",
      defaultValue = Limiter.WRITE_BUDGET, description = "Rate limiters, as for "
          + "dfs.datanode.local.cache.rate.limiter.class (default: ${DEFAULT-VALUE}).")
  private List<String> limiters;

  @Option(names = "--budget", split = ",", paramLabel = "SIZE", converter = Bytes.class,
      description = "Write budget per day of write-budget (default: the capacity).")
  private List<Long> budgets = List.of();

  @Option(names = {"-x", "--threshold"}, split = ",", paramLabel = "X", description =
      "dfs.datanode.local.cache.rate.limiter.threshold; not for write-budget (default: the "
          + "limiter's).")
  private List<Integer> thresholds = List.of();

  @Option(names = {"-y", "--window"}, split = ",", paramLabel = "Y", description =
      "dfs.datanode.local.cache.rate.limiter.window; not for write-budget (default: the "
          + "limiter's).")
  private List<String> windows = List.of();

  @Mixin
  private SimulationOptions options;

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Sets another key of the limiters.")
  private Map<String, String> keys = new HashMap<>();

  @Option(names = "--no-bounds", description = "Leaves out the local caches added for comparison.")
  private boolean noBounds;

  @Option(names = "--json", description = "Prints JSON, with the offload over time.")
  private boolean json;

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
  private List<Path> files;

  @Override
  public Integer call() throws IOException {
    options.check();
    List<Setting> settings = settings(limiters());
    List<Setting> bounds = noBounds ? List.of() : settings(List.of(Limiter.ADMIT_ALL));
    List<Setting> withBudget = noBounds ? List.of()
        : settings.stream().filter(setting -> setting.limiter().hasBudget()).toList();
    Trace trace = inputs.loadWithoutPauses(files);
    Sweep sweep = new Sweep(trace, options.disk(trace), options.threads(),
        inputs.simulating(settings.size() + 2L * bounds.size() + withBudget.size()));
    List<Result> results = new ArrayList<>(sweep.run(settings));
    results.addAll(sweep.run(bounds));
    results.addAll(sweep.bounds(bounds));
    results.addAll(sweep.mostPossible(withBudget));
    System.out.print(json ? Report.json(results) : ResultTable.text(results));
    return 0;
  }

  /** @return every combination. */
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

  private List<Limiter> limiters() {
    List<Limiter> all = new ArrayList<>();
    for (String name : limiters) {
      if (name.equals(Limiter.ADMIT_ALL.className())) {
        all.add(Limiter.ADMIT_ALL);
      } else {
        addAll(name, all);
      }
    }
    return all;
  }

  private void addAll(String className, List<Limiter> all) {
    if (className.equals(Limiter.WRITE_BUDGET)) {
      // With X or Y and no budget, it would be bucket-time.
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

  /** @return the given values; if none, the default or an empty list. */
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
