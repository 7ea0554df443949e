/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.run.Setting.Stage;

/**
 * Everything that is measured with data and pages in the OS page cache: hits, bypasses, misses,
 * fills, local readers. The disk does not matter, so what is seen is the cost of the code.
 */
final class CachedStages implements Stage {

  private static final int FILES = 8;
  private static final int QUICK_FILES = 4;

  private final Setting setting;
  private final List<Part> parts;
  private final int files;

  private CachedStages(Setting setting, List<Part> parts) {
    this.setting = setting;
    this.parts = parts;
    this.files = setting.options().quick ? QUICK_FILES : FILES;
  }

  /**
   * Local readers are apart from the others, because all clients have the native library then,
   * which the other figures are without.
   *
   * @return what is wanted
   */
  static List<CachedStages> wanted(Setting setting) {
    return Arrays.stream(Part.values()).filter(part -> !part.loads(setting.options()).isEmpty())
        .collect(Collectors.groupingBy(part -> part == Part.LOCAL, TreeMap::new,
            Collectors.toList()))
        .values().stream().map(parts -> new CachedStages(setting, parts)).toList();
  }

  @Override
  public String name() {
    return parts.stream().map(Part::stage).collect(Collectors.joining(", "));
  }

  /** @return the DataNodes that have something to measure. */
  private List<Variant> variants() {
    return parts.stream().flatMap(part -> part.variants().stream()).distinct().toList();
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Path work = setting.work(parts.contains(Part.LOCAL) ? "local" : "cached");
    Places places = new Places(work.resolve("base"), work.resolve("data"), work.resolve("ssd"),
        2 * FILES * Setting.FILE, List.of());
    try (Fleet fleet = Fleet.start(setting, places, variants(), files)) {
      for (Cluster cluster : fleet.clusters()) {
        fleet.verify(cluster, 0, files);
      }
      fleet.warmUp(files);
      new HitSlices(setting, parts.stream().filter(part -> part != Part.FILL).toList(), files)
          .run(fleet);
      if (parts.contains(Part.FILL)) {
        // Last, because pages go with it.
        new FillSlices(setting, files).run(fleet);
      }
    }
  }

  /** What is measured with everything in memory. Named as the stages of the paths are. */
  enum Part {
    HIT(Variant.IN_MEMORY, Variant.FROM_SSD),
    BYPASS(Variant.off("switched off"), Variant.ABSENT),
    MISS(Variant.admittingNothing("admits nothing")),
    FILL(Variant.IN_MEMORY),
    LOCAL(Variant.IN_MEMORY, Variant.FROM_SSD, Variant.SHORT_CIRCUIT,
        Variant.SHORT_CIRCUIT_128K);

    private final List<Variant> variants =
        new ArrayList<>(List.of(Variant.STOCK, Variant.STOCK_AGAIN));

    Part(Variant... patched) {
      variants.addAll(List.of(patched));
    }

    /** @return the first part of the paths' names. */
    String stage() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** @return the DataNodes that are compared, the released one first. */
    List<Variant> variants() {
      return variants;
    }

    /** @return the loads of the part's paths that shall be measured. */
    List<String> loads(Options options) {
      String begin = stage() + "/";
      return Options.PATHS.stream().filter(path -> path.startsWith(begin)).filter(options::wants)
          .map(path -> path.substring(begin.length())).toList();
    }
  }
}
