/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;
import io.hdfslocalcache.harness.disk.DiskStat;
import io.hdfslocalcache.harness.disk.LoopDisk;

/** One round on the emulated HDD, of both DataNodes. */
final class HddRound {

  private static final int READERS = 4;
  private static final int SIZE = 64 << 10;
  /** Reads take longer here than in memory: so many times the seconds of a slice. */
  private static final int SLICES = 8;

  private final Setting setting;
  private final Fleet fleet;
  private final SliceOrder order;
  private final int round;
  private final HddDisks disks;
  private final int hot;
  private final int cold;
  private final Map<Member, Double> idle = new HashMap<>();

  /**
   * @param hot number of files that are cached, the first ones
   * @param cold number of files that are not
   */
  HddRound(Setting setting, Fleet fleet, SliceOrder order, int round, HddDisks disks,
      int hot, int cold) {
    this.setting = setting;
    this.fleet = fleet;
    this.order = order;
    this.round = round;
    this.disks = disks;
    this.hot = hot;
    this.cold = cold;
  }

  /** @return about how many seconds it takes. */
  static double estimate(Options options) {
    return 12 + 4 * SLICES * options.seconds();
  }

  void run() throws IOException, InterruptedException {
    disks.fast();
    for (Member member : fleet.members()) {
      if (member.variant().isCaching()) {
        fill(member);
      }
    }
    disks.slow();
    double seconds = SLICES * setting.options().seconds();
    for (Member member : order.next(fleet.members())) {
      measure(member, List.of("hdd/cold-hits"), Load.sequential(1, 0, 0, hot));
    }
    Load hits = Load.pread(READERS, SIZE, seconds, 0, hot);
    for (Member member : order.next(fleet.members())) {
      idle.put(member, measure(member, List.of("hdd/idle"), hits.seed(2 * round))
          .get(0).get(Figure.P50_MICROS));
    }
    Load misses = Load.pread(READERS, SIZE, seconds, hot, cold).once(SIZE).seed(2 * round + 1);
    for (Member member : order.next(fleet.members())) {
      measure(member, List.of("hdd/mixed-hot", "hdd/mixed-cold"), hits.seed(2 * round + 1), misses);
    }
    disks.fast();
  }

  /** Clears the local cache and fills it again; its blocks are admitted already. */
  private void fill(Member member) throws IOException, InterruptedException {
    member.cluster().clear();
    disks.ssd().sync();
    DiskStat before = disks.ssd().stat();
    CacheCounters none = member.node().freshCounters();
    fleet.fill(member, 0, hot);
    CacheCounters filled = member.node().freshCounters();
    disks.ssd().sync();
    DiskStat written = disks.ssd().stat().since(before);
    long bytes = filled.filled() - none.filled();
    add(Row.of("hdd/ssd-writes", member.name(), round)
        .set(Figure.SSD_WRITES, written.writes())
        .set(Figure.SSD_WRITTEN_BYTES, written.bytesWritten())
        .set(Figure.FILLED_BYTES, bytes)
        .set(Figure.WRITE_AMPLIFICATION, (double) written.bytesWritten() / bytes)
        .set(Figure.BYTES_PER_WRITE, (double) written.bytesWritten() / written.writes()));
  }

  /** Measures with nothing in the OS page cache at the beginning. */
  private List<Row> measure(Member member, List<String> paths, Load... loads)
      throws IOException, InterruptedException {
    setting.progress().begin("round " + round + ": " + paths.get(0) + " of " + member.name());
    if (member.variant().isCaching()) {
      member.cluster().closePages();
    }
    LoopDisk.dropCaches();
    DiskStat node = disks.group().stat();
    DiskStat hdd = disks.hdd().stat();
    DiskStat ssd = disks.ssd().stat();
    Slice slice = new Meter(fleet.client()).measure(member, loads);
    node = disks.group().stat().since(node);
    hdd = disks.hdd().stat().since(hdd);
    ssd = disks.ssd().stat().since(ssd);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      Row row = new SliceSum().add(slice, i).row(paths.get(i), member.name(), round)
          .set(Figure.HDD_READS, node.reads()).set(Figure.HDD_READ_BYTES, node.bytesRead())
          .set(Figure.HDD_DEVICE_READS, hdd.reads())
          .set(Figure.SSD_READS, ssd.reads()).set(Figure.SSD_READ_BYTES, ssd.bytesRead());
      if (row.path().equals("hdd/mixed-hot")) {
        row.set(Figure.P50_AGAINST_IDLE, row.get(Figure.P50_MICROS) / idle.get(member));
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
