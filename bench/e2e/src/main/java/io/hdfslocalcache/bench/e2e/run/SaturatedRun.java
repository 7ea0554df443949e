/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.report.Row;
import io.hdfslocalcache.bench.e2e.report.Timeline;
import io.hdfslocalcache.harness.disk.LoopDisk;

/** One DataNode alone on the busy HDD, from an empty local cache on. */
final class SaturatedRun {

  private static final int WARM_UPS = 3;
  /** Reads a second and reader in the warm-up: an SSD that waits for a CPU would seem to be slow. */
  private static final double WARM_UP_RATE = 20;
  /** So short that streams are opened and nothing is read. */
  private static final double OPEN_ONLY = 1e-9;

  private final Setting setting;
  private final HddDisks disks;
  private final Client client;
  private final Load load;

  /** @param load what is measured; the file after those that it reads is for the warm-up */
  SaturatedRun(Setting setting, HddDisks disks, Client client, Load load) {
    this.setting = setting;
    this.disks = disks;
    this.client = client;
    this.load = load;
  }

  /** @return about how many seconds it takes. */
  static double estimate(Options options, double seconds) {
    return 25 + WARM_UPS * options.warmUpSeconds() + seconds;
  }

  /**
   * Measures.
   *
   * @param written where the files were written
   * @param own where this DataNode keeps its own; deleted in the end
   */
  void run(Variant variant, int round, Places written, Places own)
      throws IOException, InterruptedException {
    try (Cluster cluster = Fleet.cluster(setting, own)) {
      begin("start", variant, round);
      cluster.share(written);
      Member member = new Member(variant, cluster, cluster.start(variant));
      begin("warm up", variant, round);
      warmUp(member);
      begin("measure", variant, round);
      measure(member, round);
    } finally {
      disks.fast();
      own.discard();
    }
  }

  private void begin(String what, Variant variant, int round) {
    setting.progress().begin(SaturatedStage.NAME + ": round " + round + ", " + what + " "
        + variant.name());
  }

  /** Reads what is not measured, while the HDD is fast, and leaves nothing of it cached. */
  private void warmUp(Member member) throws IOException, InterruptedException {
    int file = load.firstFile() + load.files();
    for (int i = 1; i <= WARM_UPS; i++) {
      client.run(member.cluster(), Load.zipf(load.readers(), load.size(), load.stride(),
          setting.options().warmUpSeconds(), file, 1).seed(i).rate(WARM_UP_RATE));
    }
    if (member.variant().isCaching()) {
      member.node().awaitFills();
      member.node().awaitNormal();
      member.cluster().clear();
    }
    client.run(member.cluster(), load.seconds(OPEN_ONLY));
    LoopDisk.dropCaches();
  }

  /** An SSD that was not in order, because the machine had no CPU for it, explains much. */
  private void noteStates(Member member, int round, List<Counts> counts) {
    for (int step = 0; step < counts.size(); step++) {
      if (!counts.get(step).cache().normal()) {
        setting.results().note(SaturatedStage.PATH + ", " + member.name() + ", round " + round
            + ": after " + step * SaturatedRows.STEP + " s the SSD is not in its normal state");
      }
    }
  }

  private void measure(Member member, int round) throws IOException, InterruptedException {
    disks.slow();
    int steps = (int) load.seconds() / SaturatedRows.STEP;
    try (CountsLog log =
        new CountsLog(() -> Counts.now(disks, member), SaturatedRows.STEP, steps)) {
      Slice slice = new Meter(client).measure(member, load);
      List<Counts> counts = log.end();
      noteStates(member, round, counts);
      SaturatedRows rows = new SaturatedRows(slice.results().get(0).opsBySecond(), counts);
      Row whole = new SliceSum().add(slice, 0).row(SaturatedStage.PATH, member.name(), round);
      for (Row row : rows.rows(whole)) {
        setting.results().add(row);
      }
      setting.results().add(
          new Timeline(SaturatedStage.PATH, member.name(), round, rows.seconds()));
    }
  }
}
