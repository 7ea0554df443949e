/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * What is measured on an emulated HDD, with an SSD that is a disk of its own, so that the kernel
 * counts what reaches each.
 */
final class HddStage implements Stage {

  private static final long GB = 1L << 30;
  private static final int HOT = 4;
  private static final int COLD = 8;
  /** Reads of a block before it is admitted: the hot ones have more, the cold ones never. */
  private static final int THRESHOLD = 1000;
  private static final int MAX_ROUNDS = 5;
  private static final double ADMISSION_ESTIMATE = 15;

  private final Setting setting;

  HddStage(Setting setting) {
    this.setting = setting;
  }

  @Override
  public String name() {
    return "hdd";
  }

  /** What is seen here is so plain that more rounds would show no more. */
  private int rounds() {
    return Math.min(MAX_ROUNDS, setting.options().rounds());
  }

  @Override
  public double estimate() {
    return Fleet.estimate(setting.options(), 2) + ADMISSION_ESTIMATE
        + rounds() * HddRound.estimate(setting.options());
  }

  @Override
  public void run() throws IOException, InterruptedException {
    Path work = setting.options().directory().resolve("hdd");
    try (Undo undo = new Undo(Path.of(System.getProperty("bench.undo", work + ".undo")))) {
      Optional<HddDisks> disks = HddDisks.make(setting, name(), work, 3 * GB, 3 * GB, undo);
      if (disks.isPresent()) {
        measure(disks.get().places(work, GB, List.of(disks.get().group().processes())),
            disks.get());
      }
    }
  }

  private void measure(Places places, HddDisks disks)
      throws IOException, InterruptedException {
    List<Variant> variants =
        List.of(Variant.STOCK, Variant.cached("local cache").threshold(THRESHOLD));
    disks.fast();
    try (Fleet fleet = Fleet.start(setting, places, variants, HOT + COLD)) {
      for (Member member : fleet.members()) {
        if (member.variant().isCaching()) {
          admit(fleet, member);
          fleet.fill(member, 0, HOT);
        }
        fleet.verify(member, 0, HOT);
      }
      setting.progress().done(Fleet.startEstimate(2) + ADMISSION_ESTIMATE);
      fleet.warmUp(HOT);
      SliceOrder order = new SliceOrder(setting.options().seed() + 2);
      for (int round = 1; round <= rounds(); round++) {
        new HddRound(setting, fleet, order, round, disks, HOT, COLD).run();
        setting.progress().done(HddRound.estimate(setting.options()));
      }
    }
  }

  /** Reads the hot blocks until all are admitted. */
  private void admit(Fleet fleet, Member member) throws IOException {
    setting.progress().begin("read hot blocks until they are admitted");
    for (long reads = 0; reads < 3L * HOT * THRESHOLD / 2;) {
      reads += fleet.client()
          .run(member.cluster(), Load.pread(8, 4096, 1, 0, HOT).seed(reads)).get(0).ops();
    }
  }
}
