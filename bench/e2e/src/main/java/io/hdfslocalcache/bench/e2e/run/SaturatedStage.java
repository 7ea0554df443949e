/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * Relief when it is needed: more readers than the emulated HDD can serve, and a local cache that is
 * empty when they begin. The DataNodes are up one after the other, each alone with the HDD and the
 * processors, and with as much memory as the other.
 */
final class SaturatedStage implements Stage {

  static final String NAME = "saturated";
  static final String PATH = NAME + "/zipf-64k-32";

  private static final long MB = 1L << 20;
  private static final int FILES = 24;
  private static final int READERS = 32;
  private static final int SIZE = 64 << 10;
  private static final int REGION = 1 << 20;
  private static final long CAPACITY = 1200 * MB;
  /** The DataNode's processes, and the OS page cache for what they read. */
  private static final long MEMORY = 600 * MB;
  private static final long HDD_BYTES = 5120 * MB;
  private static final long SSD_BYTES = 3072 * MB;
  private static final int ROUNDS = 1;
  /** Seconds for each of a slice. */
  private static final int SLICES = 200;
  private static final double MAX_SECONDS = 100;
  private static final double WRITE_ESTIMATE = 40;

  private final Setting setting;

  SaturatedStage(Setting setting) {
    this.setting = setting;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** @return how long each DataNode is read from: some steps. */
  static double seconds(Options options) {
    double seconds = Math.min(MAX_SECONDS, SLICES * options.seconds());
    return Math.max(1, Math.round(seconds / SaturatedRows.STEP)) * SaturatedRows.STEP;
  }

  /** @return what is done, for the results. */
  static String inWords(Options options) {
    return String.format(Locale.ROOT, "%d rounds of %.0f s of each DataNode, %d files of %d MB, "
        + "local cache of %d MB, group of processes of %d MB", options.roundsOr(ROUNDS),
        seconds(options), FILES, Setting.FILE / MB, CAPACITY / MB, MEMORY / MB);
  }

  /** @return the DataNodes in the order in which they are measured: each is first in turn. */
  static List<Variant> order(int round) {
    List<Variant> order =
        new ArrayList<>(List.of(Variant.STOCK, Variant.byDefault("local cache")));
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    return order;
  }

  @Override
  public double estimate() {
    return WRITE_ESTIMATE + setting.options().roundsOr(ROUNDS) * order(1).size() * ofOne();
  }

  private double ofOne() {
    return SaturatedRun.estimate(setting.options(), seconds(setting.options()));
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Path work = setting.options().directory().resolve(NAME);
    try (Undo undo = new Undo(Path.of(System.getProperty("bench.undo", work + ".undo")))) {
      Optional<HddDisks> disks =
          HddDisks.make(setting, NAME, work, HDD_BYTES, SSD_BYTES, undo);
      if (disks.isPresent()) {
        Path memory = disks.get().group().limitMemory(MEMORY, undo);
        measure(disks.get(), disks.get().places(work, CAPACITY,
            List.of(disks.get().group().processes(), memory)));
      }
    }
  }

  private void measure(HddDisks disks, Places places) throws IOException, InterruptedException {
    disks.fast();
    places.prepare();
    try (Client client = Client.start(setting.build(), places.base(), Setting.FILE)) {
      // What writes is not bounded: it is not measured.
      Places written = new Places(places.base(), places.data(), places.ssd(), CAPACITY, List.of())
          .of("written");
      Fleet.write(setting, client, written, FILES + 1);
      setting.progress().done(WRITE_ESTIMATE);
      for (int round = 1; round <= setting.options().roundsOr(ROUNDS); round++) {
        Load load = Load.zipf(READERS, SIZE, REGION, seconds(setting.options()), 0, FILES)
            .seed(setting.options().seed() + round);
        for (Variant variant : order(round)) {
          Places own = places.of("round-" + round + "-" + variant.name().replace(' ', '-'));
          new SaturatedRun(setting, disks, client, load).run(variant, round, written, own);
          setting.progress().done(ofOne());
        }
      }
    } finally {
      places.discard();
    }
  }
}
