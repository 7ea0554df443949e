/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.Load.Kind;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.run.CachedStages.Part;
import io.hdfslocalcache.bench.e2e.run.SliceSum.Slice;

/**
 * What fills cost the reader whose misses start them: every slice reads what is not cached. Before,
 * the local cache is cleared; after it, its fills are waited for, so that they are in nobody else's
 * slice.
 */
final class FillSlices {

  /** In tables: other than for hits, this DataNode begins with nothing cached. */
  private static final String NAME = "fills";
  private static final double READS_PER_SECOND = 100;
  private static final int TURNS = 2;
  private static final int PREAD_SLICES = 3;

  private final Setting setting;
  private final int files;
  private final Random order;
  private final Map<String, Map<String, SliceSum>> tallies = new TreeMap<>();

  FillSlices(Setting setting, int files) {
    this.setting = setting;
    this.files = files;
    this.order = new Random(setting.options().seed + 1);
  }

  private List<String> loads() {
    return Part.FILL.loads(setting.options());
  }

  void run(Fleet fleet) throws IOException, InterruptedException {
    setting.say("fill: warm up");
    turn(fleet, 0, 0);
    int turn = 0;
    for (int round = 1; round <= setting.options().rounds; round++) {
      tallies.clear();
      for (int i = 1; i <= TURNS; i++) {
        setting.say(String.format(Locale.ROOT, "fill: round %d/%d, turn %d/%d",
            round, setting.options().rounds, i, TURNS));
        turn(fleet, round, ++turn);
      }
      for (String load : tallies.keySet()) {
        for (Map.Entry<String, SliceSum> tally : tallies.get(load).entrySet()) {
          setting.results().add(tally.getValue().row("fill/" + load, tally.getKey(), round));
        }
      }
    }
  }

  private void turn(Fleet fleet, int round, int turn) throws IOException, InterruptedException {
    List<Cluster> clusters = fleet.clusters(Part.FILL.variants());
    for (String load : loads()) {
      for (Cluster cluster : clusters) {
        if (cluster.variant().isCaching()) {
          cluster.clear();
        }
      }
      Load named = Load.named(load, 0, files);
      if (named.kind() == Kind.SEQUENTIAL) {
        slices(fleet, clusters, load, named, round, turn);
      } else {
        // In each slice another file, and in no page of it more than one read.
        for (int i = 0; i < Math.min(PREAD_SLICES, files); i++) {
          slices(fleet, clusters, load, new Load(named.kind(), named.readers(), named.size(),
              2 * setting.options().seconds, i, 1, (int) Setting.PAGE, READS_PER_SECOND, turn),
              round, turn);
        }
      }
    }
  }

  private void slices(Fleet fleet, List<Cluster> clusters, String name, Load load, int round,
      int turn) throws IOException, InterruptedException {
    for (Cluster cluster : Fleet.shuffled(clusters, order)) {
      String shown = cluster.variant().isCaching() ? NAME : cluster.name();
      Slice slice = Slice.measure(fleet.client(), cluster, load);
      if (cluster.variant().isCaching()) {
        cluster.awaitFills();
      }
      HitSlices.log(setting, "fill/" + name, shown, round, turn, slice);
      tallies.computeIfAbsent(name, key -> new TreeMap<>())
          .computeIfAbsent(shown, key -> new SliceSum()).add(slice, 0);
    }
  }
}
