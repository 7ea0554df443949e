/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.hdfslocalcache.bench.e2e.client.Files;
import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import io.hdfslocalcache.bench.e2e.run.CachedStages.Part;
import io.hdfslocalcache.bench.e2e.run.Setting.Stage;
import io.hdfslocalcache.bench.e2e.run.SliceSum.Slice;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * What is measured on an emulated HDD, with an SSD that is a disk of its own, so that the kernel
 * counts what reaches each.
 */
final class HddStage implements Stage {

  private static final long GB = 1L << 30;
  /** Number of files that are cached, the first ones. */
  private static final int HOT = 4;
  /** Number of files that are not. */
  private static final int COLD = 8;
  /** Reads of a block before it is admitted: the hot ones have more, the cold ones never. */
  private static final int THRESHOLD = 1000;
  private static final int MAX_ROUNDS = 5;
  private static final int READERS = 4;
  private static final int SIZE = 64 << 10;
  /** Reads take longer here than in memory: so many times the seconds of a slice. */
  private static final int SLICES = 8;

  private final Setting setting;
  private final Random order;
  private final Map<Cluster, Double> idle = new HashMap<>();
  private HddDisks disks;
  private Fleet fleet;
  private int round;

  HddStage(Setting setting) {
    this.setting = setting;
    this.order = new Random(setting.options().seed + 2);
  }

  @Override
  public String name() {
    return "hdd";
  }

  /** What is seen here is so plain that more rounds would show no more. */
  private int rounds() {
    return Math.min(MAX_ROUNDS, setting.options().rounds);
  }

  @Override
  public void run() throws IOException, InterruptedException {
    try (Undo undo = setting.undo(name())) {
      disks = HddDisks.make(setting, name(), 3 * GB, 3 * GB, undo).orElse(null);
      if (disks != null) {
        measure();
      }
    }
  }

  private void measure() throws IOException, InterruptedException {
    List<Variant> variants = new ArrayList<>(List.of(Variant.STOCK, Variant.PMEM_CACHE,
        Variant.cached("local cache").threshold(THRESHOLD)));
    if (setting.options().wantsStage(Part.LOCAL.stage())) {
      variants.addAll(List.of(Variant.SHORT_CIRCUIT, Variant.SHORT_CIRCUIT_128K));
    }
    disks.fast();
    try (Fleet started = Fleet.start(setting, disks.places(setting.work(name()), GB,
        List.of(disks.group().processes())), variants, HOT + COLD)) {
      fleet = started;
      for (Cluster cluster : fleet.clusters()) {
        if (cluster.variant().isCaching()) {
          admit(cluster);
          fleet.fill(cluster, 0, HOT);
        } else if (cluster.variant().isPmemCache()) {
          setting.say("cache hot files by order");
          cluster.cacheByOrder(IntStream.range(0, HOT).mapToObj(Files::name).toList());
        }
        fleet.verify(cluster, 0, HOT);
      }
      fleet.warmUp(HOT);
      for (round = 1; round <= rounds(); round++) {
        round();
      }
    }
  }

  /** Reads the hot blocks until all are admitted. */
  private void admit(Cluster cluster) throws IOException {
    setting.say("read hot blocks until they are admitted");
    for (long reads = 0; reads < 3L * HOT * THRESHOLD / 2;) {
      reads += fleet.client()
          .run(cluster, Load.pread(8, 4096, 1, 0, HOT).seed(reads)).get(0).ops();
    }
  }

  private void round() throws IOException, InterruptedException {
    disks.fast();
    for (Cluster cluster : fleet.clusters()) {
      if (cluster.variant().isCaching()) {
        fill(cluster);
      }
    }
    disks.slow();
    double seconds = SLICES * setting.options().seconds;
    for (Cluster cluster : Fleet.shuffled(fleet.clusters(), order)) {
      measure(cluster, List.of("hdd/cold-hits"), Load.sequential(1, 0, 0, HOT));
    }
    Load hits = Load.pread(READERS, SIZE, seconds, 0, HOT);
    for (Cluster cluster : Fleet.shuffled(fleet.clusters(), order)) {
      idle.put(cluster, measure(cluster, List.of("hdd/idle"), hits.seed(2 * round))
          .get(0).get(Figure.P50_MICROS));
    }
    Load misses = Load.pread(READERS, SIZE, seconds, HOT, COLD).once(SIZE).seed(2 * round + 1);
    for (Cluster cluster : Fleet.shuffled(fleet.clusters(), order)) {
      measure(cluster, List.of("hdd/mixed-hot", "hdd/mixed-cold"), hits.seed(2 * round + 1),
          misses);
    }
    disks.fast();
  }

  /** Clears the local cache and fills it again; its blocks are admitted already. */
  private void fill(Cluster cluster) throws IOException, InterruptedException {
    cluster.clear();
    disks.ssd().sync();
    DiskStat before = disks.ssd().stat();
    CacheCounters none = cluster.freshCounters();
    fleet.fill(cluster, 0, HOT);
    CacheCounters filled = cluster.freshCounters();
    disks.ssd().sync();
    DiskStat written = disks.ssd().stat().since(before);
    long bytes = filled.filled() - none.filled();
    add(Row.of("hdd/ssd-writes", cluster.name(), round)
        .set(Figure.SSD_WRITES, written.writes())
        .set(Figure.SSD_WRITTEN_BYTES, written.bytesWritten())
        .set(Figure.FILLED_BYTES, bytes)
        .set(Figure.WRITE_AMPLIFICATION, (double) written.bytesWritten() / bytes)
        .set(Figure.BYTES_PER_WRITE, (double) written.bytesWritten() / written.writes()));
  }

  /** Measures with nothing in the OS page cache at the beginning. */
  private List<Row> measure(Cluster cluster, List<String> paths, Load... loads)
      throws IOException, InterruptedException {
    setting.say("round " + round + ": " + paths.get(0) + " of " + cluster.name());
    if (cluster.variant().isCaching()) {
      cluster.closePages();
    }
    LoopDisk.dropCaches();
    DiskStat node = disks.group().stat();
    DiskStat hdd = disks.hdd().stat();
    DiskStat ssd = disks.ssd().stat();
    Slice slice = Slice.measure(fleet.client(), cluster, loads);
    node = disks.group().stat().since(node);
    hdd = disks.hdd().stat().since(hdd);
    ssd = disks.ssd().stat().since(ssd);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      Row row = new SliceSum().add(slice, i).row(paths.get(i), cluster.name(), round)
          .set(Figure.HDD_READS, node.reads()).set(Figure.HDD_READ_BYTES, node.bytesRead())
          .set(Figure.HDD_DEVICE_READS, hdd.reads())
          .set(Figure.SSD_READS, ssd.reads()).set(Figure.SSD_READ_BYTES, ssd.bytesRead());
      if (row.path().equals("hdd/mixed-hot")) {
        row.set(Figure.P50_AGAINST_IDLE, row.get(Figure.P50_MICROS) / idle.get(cluster));
      }
      add(row);
      rows.add(row);
    }
    return rows;
  }

  private void add(Row row) throws IOException {
    if (setting.options().wants(row.path())) {
      setting.results().add(row);
    }
  }
}
