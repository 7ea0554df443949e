/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.bench.e2e.BenchException;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.disk.IoGroup;
import io.hdfslocalcache.bench.disk.LoopDisk;
import io.hdfslocalcache.bench.disk.Undo;

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
  public int steps() {
    return setting.options().rounds() * 2 * HddTurn.STEPS;
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Path work = setting.options().directory().resolve("hdd");
    try (Undo undo = new Undo(Path.of(System.getProperty("bench.undo", work + ".undo")))) {
      HddTurn.Disks disks = disks(work, undo);
      if (disks != null) {
        Places places = new Places(work.resolve("base"), disks.hdd().mount().resolve("data"),
            disks.ssd().mount().resolve("pages"), GB, disks.group().processes());
        Cluster.prepare(places);
        measure(places, disks);
      }
    }
  }

  /** @return null if they cannot be had here. */
  private HddTurn.Disks disks(Path work, Undo undo) throws InterruptedException {
    try {
      if (!IoGroup.isPossible()) {
        throw new BenchException("root and a cgroup controller for block devices are needed");
      }
      Files.createDirectories(work);
      LoopDisk hdd = LoopDisk.create(work.resolve("hdd"), 3 * GB, undo);
      LoopDisk ssd = LoopDisk.create(work.resolve("ssd"), 3 * GB, undo);
      return new HddTurn.Disks(hdd, ssd, IoGroup.create(hdd, undo));
    } catch (IOException | BenchException e) {
      String note = "Left out, all of hdd/: " + e.getMessage();
      setting.progress().say(note);
      setting.results().note(note);
      return null;
    }
  }

  private void measure(Places places, HddTurn.Disks disks)
      throws IOException, InterruptedException {
    int rounds = setting.options().rounds();
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
