/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.disk.IoGroup;
import io.hdfslocalcache.bench.e2e.disk.LoopDisk;
import io.hdfslocalcache.bench.e2e.disk.Undo;

/**
 * What is measured on an emulated HDD, with an SSD that is a disk of its own, so that the kernel
 * counts what reaches each.
 */
final class HddStage implements Stage {

  private static final long GB = 1L << 30;
  private static final int HOT = 4;
  private static final int COLD = 8;

  private final Setting setting;

  HddStage(Setting setting) {
    this.setting = setting;
  }

  @Override
  public void run() throws IOException, InterruptedException {
    if (!IoGroup.isPossible()) {
      setting.results().note("Left out, because they need root and the cgroup controller for "
          + "block devices: all paths that begin with hdd/.");
      return;
    }
    Path work = setting.options().directory().resolve("hdd");
    try (Undo undo = new Undo(Path.of(System.getProperty("bench.undo", work + ".undo")))) {
      Files.createDirectories(work);
      LoopDisk hdd = LoopDisk.create(work.resolve("hdd"), 3 * GB, undo);
      LoopDisk ssd = LoopDisk.create(work.resolve("ssd"), 2 * GB, undo);
      IoGroup group = IoGroup.create(hdd, undo);
      Places places = new Places(work.resolve("base"), hdd.mount().resolve("data"),
          ssd.mount().resolve("pages"), GB, group.processes());
      Cluster.prepare(places);
      measure(places, new HddTurn.Disks(hdd, ssd, group));
    }
  }

  private void measure(Places places, HddTurn.Disks disks)
      throws IOException, InterruptedException {
    int rounds = setting.options().rounds();
    setting.progress().expect(rounds * 2 * HddTurn.STEPS);
    try (Cluster cluster =
        new Cluster(setting.build(), places, setting.options().dataNodeOptions())) {
      cluster.start();
      try (Turn turn = new Turn(setting, cluster, Variant.STOCK, 0)) {
        turn.write(0, HOT + COLD);
      }
      for (int round = 1; round <= rounds; round++) {
        List<Variant> variants = List.of(
            Variant.STOCK, Variant.cached("local cache").threshold(HddTurn.THRESHOLD));
        for (int i = 0; i < variants.size(); i++) {
          Variant variant = variants.get((i + round) % variants.size());
          try (Turn turn = new Turn(setting, cluster, variant, round)) {
            new HddTurn(setting, turn, variant, round, disks, HOT, COLD).run();
          }
        }
      }
    }
  }
}
