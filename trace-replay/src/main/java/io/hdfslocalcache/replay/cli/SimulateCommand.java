/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Eviction;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Result.ResultTable;
import io.hdfslocalcache.replay.simulate.StripedResult;
import io.hdfslocalcache.replay.simulate.StripedSimulation;
import io.hdfslocalcache.replay.simulate.Striping;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Simulates local caches of several sizes and settings on a trace. */
@Command(name = "simulate", description = "Tells what local caches would have done with a trace: "
    + "one of each size, page size, limiter and eviction. Beside them stand LRU that admits all, "
    + "and the clairvoyant bound. Options may have several values, separated by commas.")
final class SimulateCommand implements Callable<Integer> {

  @Mixin
  private Inputs inputs;

  @Mixin
  private SimulationOptions options;

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

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Another key of the limiter.")
  private Map<String, String> keys = new LinkedHashMap<>();

  @Option(names = "--eviction", split = ",", paramLabel = "POLICY", defaultValue = "lru",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Eviction> evictions;

  @Option(names = "--no-bounds", description = "Leaves the two out that stand beside.")
  private boolean noBounds;

  @Option(names = "--striped", paramLabel = "POLICY", converter = StripingConverter.class,
      description = "Plays the blocks as block groups of an erasure coding policy such as "
          + "RS-6-3-1024k, on as many DataNodes as a group has internal blocks; capacity and "
          + "budget are for each of them. Tells how many reads get all their bytes from SSDs.")
  private Striping striping;

  @Option(names = "--whole-stripes", description = "With --striped: reads go on to the end of "
      + "their stripe, as those of clients do that seek and read.")
  private boolean wholeStripes;

  @Option(names = "--json", description = "Prints JSON, with the offload over time.")
  private boolean json;

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
  private List<Path> files;

  @Override
  public Integer call() throws IOException {
    options.check();
    refuseRemovedKeys();
    List<Setting> settings = settings(limiters(), evictions);
    List<Setting> bounds = noBounds ? List.of()
        : settings(List.of(Limiter.ADMIT_ALL), List.of(Eviction.LRU));
    Trace trace = inputs.load(files);
    if (striping != null) {
      printStriped(trace, settings);
      return 0;
    }
    long work = (long) trace.size() * (settings.size() + 2L * bounds.size());
    List<Result> results = new ArrayList<>();
    try (ProgressBar bar = inputs.bar("Simulating", work)) {
      Sweep sweep = new Sweep(trace, options.disk(trace), options.threads(), bar::stepBy);
      results.addAll(sweep.run(settings));
      results.addAll(sweep.run(bounds));
      results.addAll(sweep.bounds(bounds));
    }
    if (json) {
      Inputs.printJson(results);
    } else {
      new ResultTable(System.out).print(results);
    }
    return 0;
  }

  /** As the DataNode does, which does not start with one of these. */
  private void refuseRemovedKeys() {
    keys.forEach((key, value) -> Checks.require(!LocalCacheKeys.REMOVED.containsKey(key),
        key + " = " + value + ": this key was removed; take it out: "
            + LocalCacheKeys.REMOVED.get(key)));
  }

  private void printStriped(Trace trace, List<Setting> settings) throws IOException {
    StripedSimulation simulation =
        new StripedSimulation(trace, striping, wholeStripes, options.disk(trace));
    List<StripedResult> results = new ArrayList<>();
    try (ProgressBar bar = inputs.bar("Simulating", simulation.size() * settings.size())) {
      for (Setting setting : settings) {
        results.add(simulation.run(setting, bar::stepBy));
      }
    }
    if (json) {
      Inputs.printJson(results);
    } else {
      StripedResult.print(System.out, results);
    }
  }

  /** Reads names of erasure coding policies. */
  private static final class StripingConverter implements ITypeConverter<Striping> {
    @Override
    public Striping convert(String policy) {
      try {
        return Striping.ofPolicy(policy);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  private List<Setting> settings(List<Limiter> someLimiters, List<Eviction> someEvictions) {
    List<Setting> settings = new ArrayList<>();
    for (Limiter limiter : someLimiters) {
      for (Eviction eviction : someEvictions) {
        for (long pageSize : pageSizes) {
          SimulationOptions.checkPageSize(pageSize);
          capacities.forEach(capacity ->
              settings.add(new Setting(limiter, eviction, (int) pageSize, capacity)));
        }
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

  /** How to simulate. */
  static final class SimulationOptions {

    private static final int MIN_PAGE = 4096;
    private static final int MAX_PAGE = 64 << 20;
    private static final double MB = 1e6;

    @Option(names = "--threads", paramLabel = "N", description = "How many simulations run at a "
        + "time (default: one for each processor).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--seek-ms", paramLabel = "MS", description = "Milliseconds of an HDD's read "
        + "before its first byte (default: ${DEFAULT-VALUE}).")
    private double seekMillis = Disk.DEFAULT.seekMillis();

    @Option(names = "--disk-mb-per-s", paramLabel = "MB", description = "MB (10^6 bytes) an HDD "
        + "reads in a second (default: ${DEFAULT-VALUE}).")
    private double diskRate = Disk.DEFAULT.bytesPerSecond() / MB;

    @Option(names = "--disks", paramLabel = "N", description = "HDDs over which the blocks are "
        + "spread (default: ${DEFAULT-VALUE}).")
    private int disks = Disk.DEFAULT.count();

    @Option(names = "--overload", paramLabel = "X", description = "Makes the HDDs slower or faster "
        + "by one factor, so that without a local cache the trace asks them for X times what they "
        + "can serve, such as 1.5 (default: as they are).")
    private Double overload;

    void check() {
      Checks.require(threads >= 1, "--threads: must be at least 1, not " + threads);
      Checks.require(seekMillis >= 0 && diskRate > 0,
          "--seek-ms and --disk-mb-per-s: must not be negative or 0");
      Checks.require(disks >= 1, "--disks: must be at least 1, not " + disks);
      Checks.require(overload == null || overload > 0 && overload < Double.POSITIVE_INFINITY,
          "--overload: must be more than 0, not " + overload);
    }

    /** Checks that a DataNode would take a page size. */
    static void checkPageSize(long pageSize) {
      Checks.require(pageSize >= MIN_PAGE && pageSize <= MAX_PAGE && pageSize % MIN_PAGE == 0,
          "--page-size: must be a multiple of 4096 from 4k to 64m, not " + pageSize);
    }

    int threads() {
      return threads;
    }

    /** @return the HDDs on which a trace is played. */
    Disk disk(Trace trace) {
      Disk disk = new Disk(seekMillis, diskRate * MB, disks);
      return overload == null ? disk : disk.withLoad(trace, overload);
    }
  }
}
