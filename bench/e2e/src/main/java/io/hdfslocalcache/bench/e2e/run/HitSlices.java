/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import io.hdfslocalcache.bench.e2e.run.CachedStages.Part;
import io.hdfslocalcache.bench.e2e.run.SliceSum.Slice;

/** Hits, bypasses, misses and local readers, in short slices of each DataNode in turn. */
final class HitSlices {

  private static final double ALL_HITS = 0.999;

  private record Key(String load, Variant variant) {
  }

  private final Setting setting;
  private final List<Part> parts;
  private final int files;
  private final Random order;
  private final Map<Key, SliceSum> tallies = new HashMap<>();

  /** @param parts what is measured, of the same DataNodes where they have a load in common */
  HitSlices(Setting setting, List<Part> parts, int files) {
    this.setting = setting;
    this.parts = parts;
    this.files = files;
    this.order = new Random(setting.options().seed);
  }

  private Set<String> loads() {
    Set<String> loads = new LinkedHashSet<>();
    parts.forEach(part -> loads.addAll(part.loads(setting.options())));
    return loads;
  }

  /** Every DataNode once, though several parts compare with it. */
  private List<Variant> variants(String load) {
    return parts.stream().filter(part -> part.loads(setting.options()).contains(load))
        .flatMap(part -> part.variants().stream()).distinct().toList();
  }

  void run(Fleet fleet) throws IOException, InterruptedException {
    Options options = setting.options();
    int turn = 0;
    for (int round = 1; round <= options.rounds && !loads().isEmpty(); round++) {
      tallies.clear();
      for (int slice = 1; slice <= options.slices(); slice++) {
        setting.say(String.format(Locale.ROOT,
            "round %d/%d, slice %d/%d of each", round, options.rounds, slice,
            options.slices()));
        turn(fleet, round, ++turn);
      }
      addRows(round);
    }
  }

  /** One slice of every DataNode with every load. All read at the same offsets. */
  private void turn(Fleet fleet, int round, int turn) throws IOException, InterruptedException {
    for (String name : loads()) {
      Load load = Load.named(name, setting.options().seconds, files).seed(turn);
      for (Cluster cluster : Fleet.shuffled(fleet.clusters(variants(name)), order)) {
        Slice slice = Slice.afterLead(fleet.client(), cluster, load);
        log(setting, name, cluster.name(), round, turn, slice);
        tallies.computeIfAbsent(new Key(name, cluster.variant()), key -> new SliceSum())
            .add(slice, 0);
      }
    }
  }

  /** Keeps the slice itself. */
  static void log(Setting setting, String load, String variant, int round, int turn, Slice slice)
      throws IOException {
    setting.results().addSlice(turn, new SliceSum().add(slice, 0).row(load, variant, round),
        slice.results().get(0).bytes());
  }

  private void addRows(int round) throws IOException {
    for (Part part : parts) {
      for (String load : part.loads(setting.options())) {
        for (Variant variant : part.variants()) {
          String path = part.stage() + "/" + load;
          Row row = tallies.get(new Key(load, variant)).row(path, variant.name(), round);
          compareReaders(row, load, variant);
          checkHits(part, row, variant);
          setting.results().add(row);
        }
      }
    }
  }

  /** How do many readers fare against 8? */
  private void compareReaders(Row row, String load, Variant variant) {
    SliceSum of8 = tallies.get(new Key(load.replaceFirst("-64$", "-8"), variant));
    if (load.endsWith("-64") && of8 != null) {
      row.set(Figure.AGAINST_8_READERS, row.get(Figure.OPS_PER_SECOND)
          / of8.row("", "", row.round()).get(Figure.OPS_PER_SECOND));
    }
  }

  private void checkHits(Part part, Row row, Variant variant) {
    boolean isCached = part == Part.HIT || part == Part.LOCAL;
    if (isCached && variant.isCaching() && row.get(Figure.HIT_SHARE) < ALL_HITS) {
      setting.results().note(String.format(Locale.ROOT, "%s, %s, round %d: only %.1f %% of the "
          + "bytes came from pages", row.path(), variant.name(), row.round(),
          100 * row.get(Figure.HIT_SHARE)));
    }
  }
}
