/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.hdfslocalcache.bench.e2e.Load.Kind;
import io.hdfslocalcache.bench.e2e.Slices.Slice;
import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * An overloaded HDD: more readers than the emulated HDD can serve, and an empty local cache at the
 * start. The DataNodes run one after the other, each alone with the HDD and the processors, and
 * with the same memory.
 */
final class SaturatedStage {

  private static final String PATH = "saturated/zipf-64k-32";
  private static final long MB = 1L << 20;
  /** The files that are read. */
  static final int FILES = 24;
  private static final int READERS = 32;
  private static final int SIZE = 64 << 10;
  private static final int REGION = 1 << 20;
  private static final long CAPACITY = 1200 * MB;
  /** Memory of the DataNode's processes, including their OS page cache. */
  static final long MEMORY = 600 * MB;
  /** Length of the reported spans in seconds. */
  static final int STEP = 10;
  /** Seconds until the local cache should have relieved the HDD. */
  private static final int RELIEVED = 60;
  private static final int WARM_UPS = 3;
  /** Reads per second and reader in the warm-up; with more, a CPU would slow the SSD. */
  private static final double WARM_UP_RATE = 20;
  /** So short that streams are opened but nothing is read. */
  private static final double OPEN_ONLY = 1e-9;

  private final Bench bench;
  private final Disks disks;
  private final Places places;
  private final List<Path> groups;

  SaturatedStage(Bench bench, Undo undo) throws IOException {
    this.bench = bench;
    this.disks = Disks.make(bench.work("saturated"), 5120 * MB, 3072 * MB, undo);
    this.groups =
        List.of(disks.group().processes(), disks.group().limitMemory(MEMORY, undo));
    this.places = disks.places(bench.work("saturated"));
  }

  void run() throws IOException, InterruptedException {
    disks.fast();
    places.prepare();
    // The writer is not limited, because it is not measured.
    Places written = places.of("written");
    System.out.println("write " + (FILES + 1) + " files");
    Cluster.write(bench.hadoop, written, FILES + 1);
    for (int round = 1; round <= bench.saturatedRounds(); round++) {
      List<Variant> order =
          new ArrayList<>(bench.compared(List.of(Variant.STOCK, Variant.LOCAL_CACHE)));
      if (round % 2 == 0) {
        Collections.reverse(order);
      }
      for (Variant variant : order) {
        run(variant, round, written);
      }
    }
    places.discard();
  }

  private void run(Variant variant, int round, Places written)
      throws IOException, InterruptedException {
    System.out.println("saturated: round " + round + " of " + variant.name());
    Places own = places.of("round-" + round + "-" + variant.directory()).in(groups);
    int seconds = bench.saturatedSeconds();
    Load load = load(seconds, bench.seed + round);
    try (Cluster cluster = new Cluster(bench.hadoop, own, CAPACITY, variant)) {
      cluster.start(written);
      warmUp(cluster, load, bench.warmUpSeconds());
      disks.slow();
      DiskStat hdd = disks.group().stat();
      DiskStat ssd = disks.ssd().stat();
      Slice slice = Slice.of(cluster, load);
      add(variant, round, seconds, slice,
          disks.group().stat().since(hdd), disks.ssd().stat().since(ssd));
    } finally {
      disks.fast();
      own.discard();
    }
  }

  /** The load. @param seed selects the most-read regions */
  static Load load(double seconds, long seed) {
    return new Load(Kind.ZIPF, READERS, SIZE, seconds, 0, FILES, REGION, 0, seed);
  }

  /**
   * Reads other files while the HDD is fast, and leaves nothing of them cached.
   *
   * @param seconds of each of several times
   */
  static void warmUp(Cluster cluster, Load load, double seconds)
      throws IOException, InterruptedException {
    for (int i = 1; i <= WARM_UPS; i++) {
      // The file after the measured ones.
      Load.run(cluster.files(), new Load(Kind.ZIPF, READERS, SIZE, seconds, FILES, 1,
          REGION, WARM_UP_RATE, i));
    }
    if (cluster.variant().isCaching()) {
      cluster.awaitFills();
      cluster.awaitNormal();
      cluster.clear();
    }
    open(cluster, load);
    LoopDisk.dropCaches();
  }

  /** Opens all streams of a load. */
  static void open(Cluster cluster, Load load) throws IOException, InterruptedException {
    Load.run(cluster.files(), load.with(OPEN_ONLY, load.seed()));
  }

  private void add(Variant variant, int round, int seconds, Slice slice, DiskStat hdd,
      DiskStat ssd) {
    Load.Result result = slice.results().get(0);
    Map<String, Double> all = new Slices().add(slice, 0).figures();
    all.put("reads", (double) result.reads(0, seconds));
    all.put("HDD reads", (double) hdd.reads());
    all.put("HDD bytes read", (double) hdd.bytesRead());
    all.put("SSD bytes written", (double) ssd.bytesWritten());
    all.put("bytes filled", (double) slice.after().filled() - slice.before().filled());
    bench.results.add(PATH + "/all-" + seconds + "s", variant.name(), round, all);
    if (seconds > RELIEVED) {
      add(variant, round, "from-" + RELIEVED + "s", result.reads(RELIEVED, seconds));
    }
    for (int at = 0; at < seconds; at += STEP) {
      add(variant, round, at + "-" + (at + STEP) + "s", result.reads(at, at + STEP));
    }
    bench.results.add(PATH, variant.name(), round, LongStream.range(0, seconds)
        .map(second -> result.bySecond().get((int) second)).toArray());
    if (!slice.after().isNormal()) {
      bench.results.note(PATH + ", " + variant.name() + ", round " + round
          + ": in the end the SSD is not in its normal state");
    }
  }

  private void add(Variant variant, int round, String span, long reads) {
    bench.results.add(PATH + "/" + span, variant.name(), round, Map.of("reads", (double) reads));
  }
}
