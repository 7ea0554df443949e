/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.Load.Kind;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;

/**
 * Everything that is measured with data and pages in the OS page cache: hits, bypasses, misses,
 * fills. The disk does not matter, so what is seen is the cost of the code.
 */
final class CachedStages implements Stage {

  private static final int FILES = 8;
  private static final int QUICK_FILES = 4;
  private static final Map<String, List<String>> LOADS = Map.of(
      "hit", loads("hit"), "bypass", loads("bypass"), "miss", loads("miss"),
      "fill", loads("fill"));
  /** Reads a second of the reader whose every read is a miss that starts a fill. */
  private static final double MISSES_PER_SECOND = 100;

  private final Setting setting;
  private final int files;

  CachedStages(Setting setting) {
    this.setting = setting;
    this.files = setting.options().quick() ? QUICK_FILES : FILES;
  }

  private static List<String> loads(String stage) {
    return Paths.ALL.stream().filter(path -> path.startsWith(stage + "/"))
        .map(path -> path.substring(stage.length() + 1)).toList();
  }

  static boolean isWanted(Options options) {
    return LOADS.keySet().stream().anyMatch(options::wantsStage);
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Path work = setting.options().directory().resolve("cached");
    Places places = new Places(work.resolve("base"), work.resolve("data"), work.resolve("ssd"),
        2 * FILES * Setting.FILE, null);
    Cluster.prepare(places);
    try (Cluster cluster =
        new Cluster(setting.build(), places, setting.options().dataNodeOptions())) {
      cluster.start();
      write(cluster);
      for (int round = 1; round <= setting.options().rounds(); round++) {
        round(cluster, round);
      }
    } finally {
      Cluster.discard(places);
    }
  }

  @Override
  public int steps() {
    return turns().stream().mapToInt(this::steps).sum() * setting.options().rounds();
  }

  private int steps(Variant variant) {
    Set<String> loads = new HashSet<>();
    Part.of(variant).stream().filter(part -> part != Part.FILL)
        .forEach(part -> loads.addAll(wanted(part.stage())));
    return loads.size() + (Part.of(variant).contains(Part.FILL) ? wanted("fill").size() : 0);
  }

  private List<String> wanted(String stage) {
    return LOADS.get(stage).stream()
        .filter(load -> setting.options().wants(stage + "/" + load)).toList();
  }

  private void write(Cluster cluster) throws IOException, InterruptedException {
    try (Turn turn = new Turn(setting, cluster, Variant.STOCK, 0)) {
      turn.write(0, files);
    }
  }

  private void round(Cluster cluster, int round) throws IOException, InterruptedException {
    for (Variant variant : inTurn(turns(), round)) {
      try (Turn turn = new Turn(setting, cluster, variant, round)) {
        if (round == 1) {
          turn.verify(0, files);
        } else {
          turn.readAll(0, files);
        }
        if (variant.isCaching() && Part.of(variant).contains(Part.HIT)) {
          turn.awaitFilled(files);
        }
        turn.warmUp(0, files);
        measure(turn, variant);
      }
    }
  }

  /** @return the DataNodes that have something to measure, with the stock one first. */
  private List<Variant> turns() {
    List<Variant> all = new ArrayList<>(List.of(Variant.STOCK));
    setting.options().modes().forEach(mode -> all.add(Variant.verifying(mode)));
    all.addAll(List.of(Variant.off("switched off"), Variant.ABSENT,
        Variant.admittingNothing("admits nothing")));
    return all.stream().filter(variant ->
        Part.of(variant).stream().anyMatch(part -> !wanted(part.stage()).isEmpty())).toList();
  }

  /** Another order in every round: being first or last shall favour none. */
  private static List<Variant> inTurn(List<Variant> variants, int round) {
    List<Variant> turned = new ArrayList<>(variants);
    Collections.rotate(turned, round - 1);
    return turned;
  }

  private void measure(Turn turn, Variant variant) throws IOException, InterruptedException {
    for (Part part : Part.of(variant)) {
      if (part == Part.FILL) {
        fill(turn, variant);
      } else {
        turn.measure(part.stage(), wanted(part.stage()), files);
      }
    }
  }

  /** The local cache was off up to now, so that nothing is filled yet. */
  private void fill(Turn turn, Variant variant) throws IOException, InterruptedException {
    List<String> loads = wanted("fill");
    if (variant.patched() && !loads.isEmpty()) {
      turn.cluster().switchOn();
      turn.continueAs("fills");
    }
    int half = files / 2;
    for (String load : loads) {
      Load named = Loads.named(load, 0, half);
      turn.measure("fill/" + load, named.kind() == Kind.SEQUENTIAL ? named
          : secondHalf(named, half));
      if (variant.patched()) {
        turn.node().awaitFills();
      }
    }
  }

  /** One read in each page of the files that no other load has filled. */
  private static Load secondHalf(Load load, int half) {
    return new Load(load.kind(), load.readers(), load.size(), 0, half, half,
        (int) Setting.PAGE, MISSES_PER_SECOND, 1);
  }
}
