/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.hdfslocalcache.replay.cli.TracesOptions.Chosen;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Result.ResultTable;
import io.hdfslocalcache.replay.simulate.StripedResult;
import io.hdfslocalcache.replay.simulate.StripedSimulation;
import io.hdfslocalcache.replay.simulate.Striping;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.text.Checks;
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
  private SettingOptions localCaches;

  @Mixin
  private SimulationOptions options;

  @Mixin
  private FleetOptions fleet;

  @Mixin
  private TracesOptions traces;

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

  @Parameters(paramLabel = "TRACE", arity = "0..*", description = "The trace.")
  private List<Path> files = List.of();

  @Override
  public Integer call() throws IOException {
    options.check();
    fleet.check();
    List<Setting> settings = localCaches.settings(traces.keys());
    List<Setting> bounds = noBounds ? List.of() : localCaches.bounds();
    if (traces.areGiven(!files.isEmpty())) {
      Checks.require(striping == null && !fleet.isWanted() && !json,
          "--traces: not with --striped, --fleet or --json");
      traces.run(isOnYarn -> options.order(settings, bounds, inputs.options(), isOnYarn),
          results -> new Chosen(results.subList(0, settings.size()), ""));
      return 0;
    }
    Trace trace = inputs.load(files);
    if (fleet.isWanted()) {
      Checks.require(striping == null, "--fleet: not with --striped");
      fleet.play(trace, settings, options, inputs, json);
    } else if (striping != null) {
      printStriped(trace, settings);
    } else {
      print(trace, settings, bounds);
    }
    return 0;
  }

  private void print(Trace trace, List<Setting> settings, List<Setting> bounds)
      throws IOException {
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
}
