/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.hdfslocalcache.bench.e2e.Load.Kind;
import io.hdfslocalcache.bench.e2e.Slices.Slice;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * Measures on an emulated HDD with a separate SSD, so that the kernel counts the operations of
 * each.
 */
final class HddStage {

  private static final long GB = 1L << 30;
  /** Number of cached files, the first ones. */
  private static final int HOT = 4;
  /** Number of other files. */
  private static final int COLD = 8;
  /** Reads of a block before it is admitted: hot blocks get more, cold ones fewer. */
  private static final int THRESHOLD = 1000;
  private static final int MAX_ROUNDS = 5;
  private static final int READERS = 4;
  private static final int SIZE = 64 << 10;
  /** Multiple of a slice's seconds, because reads take longer here than in memory. */
  private static final int SLICES = 8;

  private final Bench bench;
  private final Disks disks;
  private final List<Variant> variants;

  HddStage(Bench bench, Undo undo) throws IOException {
    this.bench = bench;
    this.disks = Disks.make(bench.work("hdd"), 3 * GB, 3 * GB, undo);
    this.variants = bench.compared(List.of(
        Variant.STOCK, Variant.PMEM_CACHE, Variant.LOCAL_CACHE.threshold(THRESHOLD)));
  }

  void run() throws IOException, InterruptedException {
    disks.fast();
    try (SideBySide clusters = new SideBySide(bench, disks.places(bench.work("hdd")),
        variant -> List.of(disks.group().processes()), GB, variants, HOT + COLD)) {
      for (Cluster cluster : clusters.clusters()) {
        if (cluster.variant().isCaching()) {
          admit(cluster);
          cluster.fill(HOT);
        } else if (cluster.variant().isPmemCache()) {
          System.out.println("cache hot files by order");
          cluster.cacheByOrder(IntStream.range(0, HOT).boxed().toList());
        }
      }
      clusters.verify(HOT);
      clusters.warmUp(HOT);
      // The differences are so large that more rounds would show no more.
      for (int round = 1; round <= Math.min(MAX_ROUNDS, bench.rounds()); round++) {
        round(clusters, round);
      }
    }
  }

  /** Reads the hot blocks until all are admitted. */
  private void admit(Cluster cluster) throws IOException, InterruptedException {
    System.out.println("read hot blocks until they are admitted");
    for (long reads = 0; reads < 3L * HOT * THRESHOLD / 2;) {
      reads += Load.run(cluster.files(), Load.random(8, 4096, 1, HOT, reads)).get(0).reads();
    }
  }

  private void round(SideBySide clusters, int round) throws IOException, InterruptedException {
    disks.fast();
    for (Cluster cluster : clusters.clusters()) {
      if (cluster.variant().isCaching()) {
        fill(cluster, round);
      }
    }
    disks.slow();
    double seconds = SLICES * bench.seconds();
    for (Cluster cluster : clusters.shuffled(variants)) {
      measure(cluster, round, "hdd/cold-hits", Load.files(1, 0, HOT));
    }
    Load hits = Load.random(READERS, SIZE, seconds, HOT, round);
    Load misses = new Load(Kind.ONCE, READERS, SIZE, seconds, HOT, COLD, SIZE, 0, round);
    for (Cluster cluster : clusters.shuffled(variants)) {
      measure(cluster, round, "hdd/mixed-hot", hits, misses);
    }
  }

  /** Clears the local cache and fills it again; its blocks are admitted already. */
  private void fill(Cluster cluster, int round) throws IOException, InterruptedException {
    cluster.clear();
    disks.ssd().sync();
    DiskStat before = disks.ssd().stat();
    long filled = cluster.counters(true).filled();
    cluster.fill(HOT);
    filled = cluster.counters(true).filled() - filled;
    disks.ssd().sync();
    DiskStat written = disks.ssd().stat().since(before);
    add("hdd/ssd-writes", cluster, round, Map.of("SSD writes", (double) written.writes(),
        "SSD bytes written", (double) written.bytesWritten(), "bytes filled", (double) filled,
        "written/filled", (double) written.bytesWritten() / filled,
        "bytes/write", (double) written.bytesWritten() / written.writes()));
  }

  /**
   * Measures with an empty OS page cache at the start.
   *
   * @param loads run at the same time; the first is measured
   */
  private void measure(Cluster cluster, int round, String path, Load... loads)
      throws IOException, InterruptedException {
    System.out.println("round " + round + ": " + path + " of " + cluster.name());
    if (cluster.variant().isCaching()) {
      cluster.closePages();
    }
    LoopDisk.dropCaches();
    DiskStat hdd = disks.group().stat();
    DiskStat ssd = disks.ssd().stat();
    Slice slice = Slice.of(cluster, loads);
    hdd = disks.group().stat().since(hdd);
    ssd = disks.ssd().stat().since(ssd);
    Map<String, Double> figures = new Slices().add(slice, 0).figures();
    figures.put("HDD reads", (double) hdd.reads());
    figures.put("HDD bytes read", (double) hdd.bytesRead());
    figures.put("SSD reads", (double) ssd.reads());
    figures.put("SSD bytes read", (double) ssd.bytesRead());
    add(path, cluster, round, figures);
  }

  private void add(String path, Cluster cluster, int round, Map<String, Double> figures) {
    if (bench.wants(path)) {
      bench.results.add(path, cluster.name(), round, figures);
    }
  }
}
