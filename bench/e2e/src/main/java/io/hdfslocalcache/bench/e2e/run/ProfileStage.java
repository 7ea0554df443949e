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
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.profile.ProfileTable;
import io.hdfslocalcache.bench.e2e.profile.ProfileTable.Side;
import io.hdfslocalcache.bench.e2e.profile.Profiler;
import io.hdfslocalcache.bench.e2e.profile.Stacks;
import io.hdfslocalcache.bench.e2e.report.Figure;

/** Profiles hits and, to compare, the same reads of a stock DataNode. */
final class ProfileStage implements Stage {

  private static final int FILES = 2;

  private final Setting setting;
  private final Path directory;
  private final Map<String, List<Side>> sides = new LinkedHashMap<>();

  ProfileStage(Setting setting) {
    this.setting = setting;
    this.directory = setting.directory().resolve("profile");
  }

  @Override
  public int steps() {
    return 2 * loads().size();
  }

  private List<String> loads() {
    return Paths.ALL.stream().filter(setting.options()::wants)
        .filter(path -> path.startsWith("profile/")).toList();
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path work = setting.options().directory().resolve("profile");
    Places places = new Places(work.resolve("base"), work.resolve("data"), work.resolve("ssd"),
        2 * FILES * Setting.FILE, null);
    Cluster.prepare(places);
    List<String> loads = loads();
    try (Cluster cluster =
        new Cluster(setting.build(), places, setting.options().dataNodeOptions())) {
      cluster.start();
      for (Variant variant : List.of(Variant.STOCK, Variant.cached("local cache"))) {
        try (Turn turn = new Turn(setting, cluster, variant, 1)) {
          profile(turn, variant, loads);
        }
      }
    } finally {
      Cluster.discard(places);
    }
    StringBuilder text = new StringBuilder("# Where the CPU time of a read goes\n\n");
    sides.forEach((load, both) -> text.append(ProfileTable.of(load, both)));
    Files.writeString(directory.resolve("README.md"), text);
  }

  private void profile(Turn turn, Variant variant, List<String> loads)
      throws IOException, InterruptedException {
    if (!variant.patched()) {
      turn.write(0, FILES);
    }
    turn.verify(0, FILES);
    if (variant.isCaching()) {
      turn.awaitFilled(FILES);
    }
    turn.warmUp(0, FILES);
    for (String path : loads) {
      String name = path.substring(path.indexOf('/') + 1);
      Load load = Loads.named(name, 2 * setting.options().seconds(), FILES);
      turn.client().run(load);
      Profiler profiler =
          new Profiler(setting.build().target().resolve("profiler"), turn.node().pid());
      String event = profiler.start();
      turn.measure(path, load);
      String file = name + "-" + variant.name().replace(' ', '-');
      Path collapsed = setting.options().directory().resolve("profile/" + file + ".collapsed");
      profiler.stop(collapsed, directory.resolve(file + ".html"));
      setting.results().note("Profiles are of the event " + event + ".");
      double micros = setting.results().series(path, variant.name(),
          Figure.CPU_MICROS_PER_READ).median();
      sides.computeIfAbsent(name, key -> new ArrayList<>())
          .add(new Side(variant.name(), Stacks.read(collapsed), micros));
    }
  }
}
