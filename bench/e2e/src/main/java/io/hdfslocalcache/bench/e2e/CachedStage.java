/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.Load.Kind;
import io.hdfslocalcache.bench.e2e.Slices.Slice;
import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * Measures everything without reads of an HDD, in short slices in turn: hits, bypasses, misses and
 * fills, with data and pages in the OS page cache. No disk matters, so the figures show the cost of
 * the code. {@link SsdStage} measures an SSD.
 */
final class CachedStage {

  private static final int FILES = 8;
  private static final int QUICK_FILES = 4;
  private static final double ALL_HITS = 0.999;
  private static final int FILL_TURNS = 2;
  private static final int FILL_PREADS = 3;
  private static final double FILL_READS_PER_SECOND = 100;
  private static final int PAGE = 1 << 20;

  private final Bench bench;
  private final List<Part> parts;
  private final int files;
  /** Measurements of this round, by load and DataNode. */
  private final Map<List<String>, Slices> slices = new LinkedHashMap<>();

  /** The parts to measure, named like the stages of the paths. */
  enum Part {
    HIT(Variant.STOCK, Variant.STOCK_AGAIN, Variant.IN_MEMORY, Variant.FROM_SSD),
    BYPASS(Variant.STOCK, Variant.STOCK_AGAIN, Variant.OFF, Variant.ABSENT),
    MISS(Variant.STOCK, Variant.STOCK_AGAIN, Variant.ADMITS_NOTHING),
    FILL(Variant.STOCK, Variant.STOCK_AGAIN, Variant.IN_MEMORY),
    /** Replicas and pages are on the same SSD. */
    SSD(Variant.twoVolumes(Variant.STOCK.name()), Variant.twoVolumes(Variant.STOCK_AGAIN.name()),
        Variant.FROM_SSD.with(LocalCacheKeys.RESERVED, "0"));

    private final List<Variant> variants;

    Part(Variant... variants) {
      this.variants = List.of(variants);
    }

    private String stage() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The parts that need no disk of their own. */
  CachedStage(Bench bench) {
    this(bench, EnumSet.complementOf(EnumSet.of(Part.SSD)), bench.quick ? QUICK_FILES : FILES);
  }

  CachedStage(Bench bench, EnumSet<Part> parts, int files) {
    this.bench = bench;
    this.parts = parts.stream().filter(part -> !bench.loads(part.stage()).isEmpty()).toList();
    this.files = files;
  }

  /** @return the DataNodes of some parts. */
  private List<Variant> variants(List<Part> some) {
    return bench.compared(
        some.stream().flatMap(part -> part.variants.stream()).distinct().toList());
  }

  /** @return the DataNodes of all parts. */
  List<Variant> variants() {
    return variants(parts);
  }

  void run() throws IOException, InterruptedException {
    if (parts.isEmpty()) {
      return;
    }
    Path work = bench.work("cached");
    Places places = new Places(
        work.resolve("base"), work.resolve("data"), work.resolve("ssd"), List.of());
    try (SideBySide clusters = new SideBySide(bench, places, variant -> List.of(),
        2 * FILES * BenchFiles.LENGTH, variants(), files)) {
      measure(clusters);
    }
  }

  /** Measures DataNodes that were just started. */
  void measure(SideBySide clusters) throws IOException, InterruptedException {
    clusters.verify(files);
    clusters.warmUp(files);
    List<Part> repeatable = parts.stream().filter(part -> part != Part.FILL).toList();
    int turn = 0;
    for (int round = 1; round <= bench.rounds() && !repeatable.isEmpty(); round++) {
      slices.clear();
      for (int slice = 1; slice <= bench.slices(); slice++) {
        System.out.println("round " + round + ", slice " + slice + " of each");
        turn(clusters, repeatable, ++turn);
      }
      for (Part part : repeatable) {
        add(part, round);
      }
    }
    if (parts.contains(Part.FILL)) {
      // Last, because it clears pages. The first round is for the JIT compilers.
      for (int round = 0; round <= bench.rounds(); round++) {
        slices.clear();
        for (int i = 1; i <= FILL_TURNS; i++) {
          System.out.println("fill: round " + round + ", turn " + i);
          fill(clusters, ++turn);
        }
        if (round > 0) {
          add(Part.FILL, round);
        }
      }
    }
  }

  /** One slice of every DataNode with every load. All read at the same offsets. */
  private void turn(SideBySide clusters, List<Part> repeatable, int turn)
      throws IOException, InterruptedException {
    for (String name
        : repeatable.stream().flatMap(part -> bench.loads(part.stage()).stream()).distinct()
            .toList()) {
      Load load = Load.named(name, bench.seconds(), files, turn);
      // Every DataNode once, even if several parts compare with it.
      List<Variant> variants = variants(repeatable.stream()
          .filter(part -> bench.loads(part.stage()).contains(name)).toList());
      for (Cluster cluster : clusters.shuffled(variants)) {
        add(name, cluster, Slice.afterLead(cluster, load));
      }
    }
  }

  /**
   * The cost of fills for the reader whose misses start them: every slice reads uncached bytes. The
   * local cache is cleared before a slice, and fills are awaited after it, so that they do not run
   * in another slice.
   */
  private void fill(SideBySide clusters, int turn) throws IOException, InterruptedException {
    List<Variant> variants = variants(List.of(Part.FILL));
    for (String name : bench.loads(Part.FILL.stage())) {
      for (Cluster cluster : clusters.shuffled(variants)) {
        if (cluster.variant().isCaching()) {
          cluster.clear();
        }
      }
      Load load = Load.named(name, 0, files, turn);
      // Another file in each slice, with at most one read per page.
      for (int i = 0; i < (load.kind() == Kind.FILES ? 1 : FILL_PREADS); i++) {
        Load now = load.kind() == Kind.FILES ? load : new Load(Kind.ONCE, load.readers(),
            load.size(), 2 * bench.seconds(), i, 1, PAGE, FILL_READS_PER_SECOND, turn);
        for (Cluster cluster : clusters.shuffled(variants)) {
          add(name, cluster, Slice.of(cluster, now));
          if (cluster.variant().isCaching()) {
            cluster.awaitFills();
          }
        }
      }
    }
  }

  private void add(String load, Cluster cluster, Slice slice) {
    slices.computeIfAbsent(List.of(load, cluster.name()), key -> new Slices()).add(slice, 0);
  }

  private void add(Part part, int round) {
    for (String load : bench.loads(part.stage())) {
      for (Variant variant : variants(List.of(part))) {
        Map<String, Double> figures =
            new LinkedHashMap<>(slices.get(List.of(load, variant.name())).figures());
        Slices of8 = slices.get(List.of(load.replaceFirst("-64$", "-8"), variant.name()));
        if (load.endsWith("-64") && of8 != null) {
          figures.put("reads/s / 8 readers",
              figures.get("reads/s") / of8.figures().get("reads/s"));
        }
        if ((part == Part.HIT || part == Part.SSD) && variant.isCaching()
            && figures.get("hit share") < ALL_HITS) {
          bench.results.note(String.format(Locale.ROOT, "%s, %s, round %d: only %.1f %% of the "
              + "bytes came from pages", load, variant.name(), round,
              100 * figures.get("hit share")));
        }
        bench.results.add(part.stage() + "/" + load, variant.name(), round, figures);
      }
    }
  }
}
