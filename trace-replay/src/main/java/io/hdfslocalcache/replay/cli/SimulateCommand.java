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

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Result.ResultTable;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Simulates local caches of several sizes and settings on a trace. */
@Command(name = "simulate", description = "Tells what local caches would have done with a trace: "
    + "one of each size, page size and limiter. Beside them stand one that admits all, the "
    + "clairvoyant bound, and what is possible with each write budget. Options may have several "
    + "values, separated by commas.")
final class SimulateCommand implements Callable<Integer> {

  @Mixin
  private Inputs inputs;

  @Mixin
  private SettingOptions localCaches;

  @Mixin
  private SimulationOptions options;

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Sets another key of the limiters.")
  private Map<String, String> keys = new HashMap<>();

  @Option(names = "--no-bounds", description = "Leaves those out that stand beside.")
  private boolean noBounds;

  @Option(names = "--json", description = "Prints JSON, with the offload over time.")
  private boolean json;

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
  private List<Path> files;

  @Override
  public Integer call() throws IOException {
    options.check();
    List<Setting> settings = localCaches.settings(keys);
    List<Setting> bounds = noBounds ? List.of() : localCaches.bounds();
    List<Setting> budgets = noBounds ? List.of()
        : settings.stream().filter(setting -> setting.limiter().hasBudget()).toList();
    Trace trace = inputs.load(files);
    Sweep sweep = new Sweep(trace, options.disk(trace), options.threads(),
        inputs.simulating(settings.size() + 2L * bounds.size() + budgets.size()));
    List<Result> results = new ArrayList<>(sweep.run(settings));
    results.addAll(sweep.run(bounds));
    results.addAll(sweep.bounds(bounds));
    results.addAll(sweep.mostPossible(budgets));
    System.out.print(json ? Report.json(results) : ResultTable.text(results));
    return 0;
  }
}
