/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.disk.DiskStat;
import io.hdfslocalcache.bench.disk.IoGroup;
import io.hdfslocalcache.bench.disk.LoopDisk;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;

/** One DataNode's turn on the emulated HDD. */
final class HddTurn {

  /** Reads of a block before it is admitted: the hot ones have more, the cold ones never. */
  static final int THRESHOLD = 1000;
  static final int READERS = 4;
  static final int SIZE = 64 << 10;
  static final int STEPS = 3;

  /** A drive of 16 TB: so many bytes in a row, so many operations here and there. */
  private static final long HDD_BYTES_PER_SECOND = 160_000_000;
  private static final long HDD_READS_PER_SECOND = 150;

  /** What is there to count. */
  record Disks(LoopDisk hdd, LoopDisk ssd, IoGroup group) {
  }

  /** What the kernel has counted. */
  private record Counts(DiskStat node, DiskStat hdd, DiskStat ssd) {
  }

  private final Setting setting;
  private final Turn turn;
  private final Variant variant;
  private final int round;
  private final Disks disks;
  private final int hot;
  private final int cold;
  private final List<Row> rows = new ArrayList<>();

  HddTurn(Setting setting, Turn turn, Variant variant, int round, Disks disks, int hot,
      int cold) {
    this.setting = setting;
    this.turn = turn;
    this.variant = variant;
    this.round = round;
    this.disks = disks;
    this.hot = hot;
    this.cold = cold;
  }

  void run() throws IOException, InterruptedException {
    disks.group().unlimit();
    double seconds = setting.options().seconds();
    if (variant.patched()) {
      fill();
    }
    // Once only: the cold blocks shall not be admitted.
    turn.client().run(Load.sequential(2, 0, hot, cold));
    turn.warmUp(0, hot);
    disks.group().limit(HDD_BYTES_PER_SECOND, HDD_READS_PER_SECOND);
    measure(List.of("hdd/cold-hits"), Load.sequential(1, 0, 0, hot));
    Load hits = Load.pread(READERS, SIZE, 2 * seconds, 0, hot);
    double idle = measure(List.of("hdd/idle"), hits).get(0).get(Figure.P50_MICROS);
    List<Row> mixed = measure(List.of("hdd/mixed-hot", "hdd/mixed-cold"),
        hits.seed(2 + round), Load.pread(READERS, SIZE, 2 * seconds, hot, cold).once(SIZE)
        .seed(2 + round));
    mixed.get(0).set(Figure.P50_AGAINST_IDLE, mixed.get(0).get(Figure.P50_MICROS) / idle);
    disks.group().unlimit();
    for (Row row : rows) {
      add(row);
    }
  }

  private void fill() throws IOException, InterruptedException {
    disks.ssd().sync();
    DiskStat before = disks.ssd().stat();
    CacheCounters none = turn.node().freshCounters();
    for (long reads = 0; reads < 3L * hot * THRESHOLD / 2;) {
      reads += turn.client().run(Load.pread(8, 4096, 1, 0, hot)).get(0).ops();
    }
    turn.verify(0, hot);
    turn.awaitFilled(hot);
    CacheCounters filled = turn.node().freshCounters();
    disks.ssd().sync();
    DiskStat written = disks.ssd().stat().since(before);
    long bytes = filled.filled() - none.filled();
    add(Row.of("hdd/ssd-writes", variant.name(), round)
        .set(Figure.SSD_WRITES, written.writes())
        .set(Figure.SSD_WRITTEN_BYTES, written.bytesWritten())
        .set(Figure.FILLED_BYTES, bytes)
        .set(Figure.WRITE_AMPLIFICATION, (double) written.bytesWritten() / bytes)
        .set(Figure.BYTES_PER_WRITE, (double) written.bytesWritten() / written.writes()));
  }

  /** Measures with nothing in the OS page cache at the beginning. */
  private List<Row> measure(List<String> paths, Load... loads)
      throws IOException, InterruptedException {
    LoopDisk.dropCaches();
    Counts before = counts();
    List<Row> measured = turn.measureTogether(paths, loads);
    Counts after = counts();
    DiskStat node = after.node().since(before.node());
    DiskStat hdd = after.hdd().since(before.hdd());
    DiskStat ssd = after.ssd().since(before.ssd());
    for (Row row : measured) {
      rows.add(row.set(Figure.HDD_READS, node.reads()).set(Figure.HDD_READ_BYTES, node.bytesRead())
          .set(Figure.HDD_DEVICE_READS, hdd.reads())
          .set(Figure.SSD_READS, ssd.reads()).set(Figure.SSD_READ_BYTES, ssd.bytesRead()));
    }
    return measured;
  }

  private Counts counts() throws IOException {
    return new Counts(disks.group().stat(), disks.hdd().stat(), disks.ssd().stat());
  }

  private void add(Row row) throws IOException {
    if (setting.options().wants(row.path())) {
      setting.results().add(row);
    }
  }
}
