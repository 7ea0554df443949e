/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

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
    int perRound = wanted("hit").size() * (1 + setting.options().modes().size())
        + wanted("bypass").size() * 3 + wanted("miss").size() * 2 + wanted("fill").size() * 2;
    return perRound * setting.options().rounds();
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
    if (!wanted("hit").isEmpty()) {
      List<Variant> variants = new ArrayList<>(List.of(Variant.STOCK));
      setting.options().modes().forEach(mode -> variants.add(Variant.verifying(mode)));
      for (Variant variant : inTurn(variants, round)) {
        hits(cluster, variant, round);
      }
    }
    if (!wanted("bypass").isEmpty() || !wanted("miss").isEmpty()) {
      for (Variant variant : inTurn(List.of(Variant.STOCK, Variant.off("switched off"),
          Variant.ABSENT, Variant.admittingNothing("admits nothing")), round)) {
        bypassesAndMisses(cluster, variant, round);
      }
    }
    if (!wanted("fill").isEmpty()) {
      for (Variant variant : inTurn(List.of(Variant.STOCK, Variant.off("fills")), round)) {
        fills(cluster, variant, round);
      }
    }
  }

  /** Another order in every round: being first or last shall favour none. */
  private static List<Variant> inTurn(List<Variant> variants, int round) {
    List<Variant> turned = new ArrayList<>(variants);
    Collections.rotate(turned, round - 1);
    return turned;
  }

  private void hits(Cluster cluster, Variant variant, int round)
      throws IOException, InterruptedException {
    try (Turn turn = new Turn(setting, cluster, variant, round)) {
      turn.verify(0, files);
      if (variant.isCaching()) {
        turn.awaitFilled(files);
      }
      turn.warmUp(0, files);
      turn.measure("hit", wanted("hit"), files);
    }
  }

  private void bypassesAndMisses(Cluster cluster, Variant variant, int round)
      throws IOException, InterruptedException {
    boolean misses = variant.isCaching();
    boolean both = !variant.patched();
    if (wanted(misses ? "miss" : "bypass").isEmpty() && !both) {
      return;
    }
    try (Turn turn = new Turn(setting, cluster, variant, round)) {
      turn.verify(0, files);
      turn.warmUp(0, files);
      if (!misses) {
        turn.measure("bypass", wanted("bypass"), files);
      }
      if (misses || both) {
        turn.measure("miss", wanted("miss"), files);
      }
    }
  }

  /** Begins switched off, so that what is read while warming up does not fill anything. */
  private void fills(Cluster cluster, Variant variant, int round)
      throws IOException, InterruptedException {
    int half = files / 2;
    try (Turn turn = new Turn(setting, cluster, variant, round)) {
      turn.verify(0, files);
      turn.warmUp(0, files);
      if (variant.patched()) {
        turn.cluster().switchOn();
      }
      for (String load : wanted("fill")) {
        Load named = Loads.named(load, 0, half);
        turn.measure("fill/" + load, named.kind() == Kind.SEQUENTIAL ? named
            : secondHalf(named, half));
        if (variant.patched()) {
          turn.node().awaitFills();
        }
      }
    }
  }

  /** One read in each page of the files that no other load has filled. */
  private static Load secondHalf(Load load, int half) {
    return new Load(load.kind(), load.readers(), load.size(), 0, half, half,
        (int) Setting.PAGE, MISSES_PER_SECOND, 1);
  }
}
