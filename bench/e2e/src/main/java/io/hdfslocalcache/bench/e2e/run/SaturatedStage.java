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

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import io.hdfslocalcache.bench.e2e.report.Results.Timeline;
import io.hdfslocalcache.bench.e2e.run.SaturatedRows.Counts;
import io.hdfslocalcache.bench.e2e.run.Setting.Stage;
import io.hdfslocalcache.bench.e2e.run.SliceSum.Slice;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * Relief when it is needed: more readers than the emulated HDD can serve, and a local cache that is
 * empty when they begin. The DataNodes are up one after the other, each alone with the HDD and the
 * processors, and with as much memory as the other.
 */
final class SaturatedStage implements Stage {

  static final String NAME = "saturated";

  private static final String PATH = NAME + "/zipf-64k-32";
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
  private static final int WARM_UPS = 3;
  /** Reads a second and reader in the warm-up: an SSD that waits for a CPU would seem to be slow. */
  private static final double WARM_UP_RATE = 20;
  /** So short that streams are opened and nothing is read. */
  private static final double OPEN_ONLY = 1e-9;

  private final Setting setting;
  private final int rounds;
  private final double seconds;
  private HddDisks disks;
  private Client client;

  SaturatedStage(Setting setting) {
    this.setting = setting;
    this.rounds = setting.options().roundsOr(ROUNDS);
    this.seconds = seconds(setting.options());
  }

  @Override
  public String name() {
    return NAME;
  }

  /** @return how long each DataNode is read from: some steps. */
  static double seconds(Options options) {
    double seconds = Math.min(MAX_SECONDS, SLICES * options.seconds);
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
  public void run() throws IOException, InterruptedException {
    try (Undo undo = setting.undo(NAME)) {
      disks = HddDisks.make(setting, NAME, HDD_BYTES, SSD_BYTES, undo).orElse(null);
      if (disks != null) {
        Path memory = disks.group().limitMemory(MEMORY, undo);
        measure(disks.places(setting.work(NAME), CAPACITY,
            List.of(disks.group().processes(), memory)));
      }
    }
  }

  private void measure(Places places) throws IOException, InterruptedException {
    disks.fast();
    places.prepare();
    try (Client started = Client.start(setting.build(), places.base(), Setting.FILE)) {
      client = started;
      // What writes is not bounded: it is not measured.
      Places written = new Places(places.base(), places.data(), places.ssd(), CAPACITY, List.of())
          .of("written");
      Fleet.write(setting, client, written, FILES + 1);
      for (int round = 1; round <= rounds; round++) {
        for (Variant variant : order(round)) {
          run(variant, round, written,
              places.of("round-" + round + "-" + variant.name().replace(' ', '-')));
        }
      }
    } finally {
      places.discard();
    }
  }

  /**
   * Measures one DataNode alone on the busy HDD, from an empty local cache on.
   *
   * @param written where the files were written
   * @param own where this DataNode keeps its own; deleted in the end
   */
  private void run(Variant variant, int round, Places written, Places own)
      throws IOException, InterruptedException {
    Load load = Load.zipf(READERS, SIZE, REGION, seconds, 0, FILES)
        .seed(setting.options().seed + round);
    try (Cluster cluster = setting.cluster(own, variant)) {
      begin("start", variant, round);
      cluster.share(written);
      cluster.start();
      begin("warm up", variant, round);
      warmUp(cluster, load);
      begin("measure", variant, round);
      measure(cluster, load, round);
    } finally {
      disks.fast();
      own.discard();
    }
  }

  private void begin(String what, Variant variant, int round) {
    setting.say(NAME + ": round " + round + ", " + what + " " + variant.name());
  }

  /** Reads what is not measured, while the HDD is fast, and leaves nothing of it cached. */
  private void warmUp(Cluster cluster, Load load) throws IOException, InterruptedException {
    for (int i = 1; i <= WARM_UPS; i++) {
      // The file after those that are measured.
      client.run(cluster, Load.zipf(READERS, SIZE, REGION, setting.options().warmUpSeconds(),
          FILES, 1).seed(i).rate(WARM_UP_RATE));
    }
    if (cluster.variant().isCaching()) {
      cluster.awaitFills();
      cluster.awaitNormal();
      cluster.clear();
    }
    client.run(cluster, load.seconds(OPEN_ONLY));
    LoopDisk.dropCaches();
  }

  private void measure(Cluster cluster, Load load, int round)
      throws IOException, InterruptedException {
    disks.slow();
    int steps = (int) seconds / SaturatedRows.STEP;
    try (Counts.Log log =
        new Counts.Log(() -> Counts.now(disks, cluster), SaturatedRows.STEP, steps)) {
      Slice slice = Slice.measure(client, cluster, load);
      List<Counts> counts = log.end();
      noteStates(cluster.name(), round, counts);
      SaturatedRows rows = new SaturatedRows(slice.results().get(0).opsBySecond(), counts);
      for (Row row : rows.rows(new SliceSum().add(slice, 0).row(PATH, cluster.name(), round))) {
        setting.results().add(row);
      }
      setting.results().add(new Timeline(PATH, cluster.name(), round, rows.seconds()));
    }
  }

  /** An SSD that was not in order, because the machine had no CPU for it, explains much. */
  private void noteStates(String name, int round, List<Counts> counts) {
    for (int step = 0; step < counts.size(); step++) {
      if (!counts.get(step).cache().normal()) {
        setting.results().note(PATH + ", " + name + ", round " + round + ": after "
            + step * SaturatedRows.STEP + " s the SSD is not in its normal state");
      }
    }
  }
}
