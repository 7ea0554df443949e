/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.profile.Profiler;
import io.hdfslocalcache.bench.e2e.profile.Stacks;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;
import io.hdfslocalcache.harness.Table;

/** Profiles of hits and, to compare, of the same reads of a stock DataNode. */
final class Profiles {

  /** Of the seconds of a slice: samples are few otherwise. */
  private static final int SLICES = 8;
  /** Lines of the tables. */
  private static final int LINES = 60;
  private static final int SELF_LINES = 20;

  private final Setting setting;
  private final int files;

  /**
   * One DataNode's profile.
   *
   * @param name of the DataNode
   * @param microsPerRead CPU time of all its threads but the JIT compiler's, by the kernel
   */
  private record Side(String name, Stacks stacks, double microsPerRead) {

    /** The profiler's samples, scaled to what the kernel has counted. */
    Map<String, Double> micros(Map<String, Long> samples) {
      Map<String, Double> micros = new TreeMap<>();
      samples.forEach((frame, number) ->
          micros.put(frame, number * microsPerRead / Math.max(1, stacks.all())));
      return micros;
    }
  }

  Profiles(Setting setting, int files) {
    this.setting = setting;
    this.files = files;
  }

  private List<String> loads() {
    return Part.PROFILE.loads(setting.options());
  }

  private double seconds() {
    return SLICES * setting.options().seconds();
  }

  double estimate() {
    return 2 * loads().size() * (seconds() + 2);
  }

  void run(Fleet fleet) throws IOException, InterruptedException {
    if (loads().isEmpty()) {
      return;
    }
    Path directory = Files.createDirectories(setting.directory().resolve("profile"));
    StringBuilder text = new StringBuilder("# Where the CPU time of a read goes\n\n");
    for (String load : loads()) {
      List<Side> sides = new ArrayList<>();
      for (Cluster cluster : fleet.clusters(Part.PROFILE.variants(setting.options()))) {
        setting.progress().begin("profile/" + load + " of " + cluster.name());
        sides.add(profile(fleet, cluster, load, directory));
        setting.progress().done(seconds() + 2);
      }
      text.append(tables(load, sides));
    }
    Files.writeString(directory.resolve("README.md"), text);
  }

  private Side profile(Fleet fleet, Cluster cluster, String name, Path directory)
      throws IOException {
    Load load = Load.named(name, seconds(), files);
    fleet.client().run(cluster, load.seconds(setting.options().seconds()));
    Profiler profiler =
        new Profiler(setting.build().target().resolve("profiler"), cluster.pid());
    String event = profiler.start();
    Row row = new SliceSum().add(Slice.measure(fleet.client(), cluster, load), 0)
        .row("profile/" + name, cluster.name(), 1);
    String file = name + "-" + cluster.name().replace(' ', '-');
    Path collapsed = setting.work(CachedStages.WORK).resolve("base/" + file + ".collapsed");
    profiler.stop(collapsed, directory.resolve(file + ".html"));
    setting.results().note("Profiles are of the event " + event + ".");
    setting.results().add(row);
    return new Side(
        cluster.name(), Stacks.read(collapsed), row.get(Figure.CPU_MICROS_PER_READ));
  }

  /** @return Markdown: microseconds of CPU per read in the costliest frames, side by side. */
  private static String tables(String load, List<Side> sides) {
    StringBuilder text = new StringBuilder("## ").append(load).append("\n\n");
    for (Side side : sides) {
      text.append(String.format(Locale.ROOT, "- %s: %.1f us of CPU per read, %.0f %% of it in "
          + "threads that serve clients (%d samples)%n", side.name(), side.microsPerRead(),
          100.0 * side.stacks().serving() / Math.max(1, side.stacks().all()),
          side.stacks().serving()));
    }
    return text.append("\nMicroseconds per read with the frame anywhere on the stack:\n\n")
        .append(table(sides, Stacks::inclusive, LINES))
        .append("\nMicroseconds per read in the frame itself:\n\n")
        .append(table(sides, Stacks::self, SELF_LINES)).append('\n').toString();
  }

  private static Table table(List<Side> sides, Function<Stacks, Map<String, Long>> samples,
      int lines) {
    List<String> columns = new ArrayList<>(List.of("frame"));
    sides.forEach(side -> columns.add(">" + side.name()));
    Table table = new Table(columns);
    List<Map<String, Double>> ofSides = sides.stream()
        .map(side -> side.micros(samples.apply(side.stacks()))).toList();
    Map<String, List<Double>> micros = new TreeMap<>();
    ofSides.forEach(side -> side.keySet().forEach(frame -> micros.put(
        frame, ofSides.stream().map(any -> any.getOrDefault(frame, 0.0)).toList())));
    micros.entrySet().stream()
        .sorted(Comparator.comparing(frame -> -Collections.max(frame.getValue())))
        .limit(lines).forEach(frame -> {
          List<String> cells = new ArrayList<>(
              List.of("`" + frame.getKey().replace('/', '.') + "`"));
          frame.getValue().forEach(value ->
              cells.add(String.format(Locale.ROOT, "%.2f", value)));
          table.row(cells);
        });
    return table;
  }
}
