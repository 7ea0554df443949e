/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.profile.ProfileTable;
import io.hdfslocalcache.bench.e2e.profile.ProfileTable.Side;
import io.hdfslocalcache.bench.e2e.profile.Profiler;
import io.hdfslocalcache.bench.e2e.profile.Stacks;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;

/** Profiles of hits and, to compare, of the same reads of a stock DataNode. */
final class Profiles {

  /** Of the seconds of a slice: samples are few otherwise. */
  private static final int SLICES = 8;

  private final Setting setting;
  private final int files;
  private final Map<String, List<Side>> sides = new LinkedHashMap<>();

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
    for (String load : loads()) {
      for (Member member : fleet.members(Part.PROFILE.variants(setting.options()))) {
        setting.progress().begin("profile/" + load + " of " + member.name());
        profile(fleet, member, load, directory);
        setting.progress().done(seconds() + 2);
      }
    }
    StringBuilder text = new StringBuilder("# Where the CPU time of a read goes\n\n");
    sides.forEach((load, both) -> text.append(ProfileTable.of(load, both)));
    Files.writeString(directory.resolve("README.md"), text);
  }

  private void profile(Fleet fleet, Member member, String name, Path directory)
      throws IOException, InterruptedException {
    Load load = Loads.named(name, seconds(), files);
    fleet.client().run(member.cluster(), load.seconds(setting.options().seconds()));
    Profiler profiler =
        new Profiler(setting.build().target().resolve("profiler"), member.node().pid());
    String event = profiler.start();
    Row row = new SliceSum().add(new Meter(fleet.client()).measure(member, load), 0)
        .row("profile/" + name, member.name(), 1);
    String file = name + "-" + member.name().replace(' ', '-');
    Path collapsed =
        setting.options().directory().resolve("cached/base/" + file + ".collapsed");
    profiler.stop(collapsed, directory.resolve(file + ".html"));
    setting.results().note("Profiles are of the event " + event + ".");
    setting.results().add(row);
    sides.computeIfAbsent(name, key -> new ArrayList<>()).add(new Side(member.name(),
        Stacks.read(collapsed), row.get(Figure.CPU_MICROS_PER_READ)));
  }
}
