/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * An emulated HDD, an SSD that is a disk of its own, and the group of the processes that the HDD is
 * slow for.
 */
record HddDisks(LoopDisk hdd, LoopDisk ssd, IoGroup group) {

  /** A drive of 16 TB: so many bytes in a row, so many operations here and there. */
  private static final long HDD_BYTES_PER_SECOND = 160_000_000;
  private static final long HDD_READS_PER_SECOND = 150;

  /**
   * Makes them. If they cannot be had here, the results say why.
   *
   * @param stage what is left out without them
   * @param undo learns how to take them away
   */
  static Optional<HddDisks> make(Setting setting, String stage, long hddBytes, long ssdBytes,
      Undo undo) {
    try {
      if (!IoGroup.isPossible()) {
        throw new IOException("root and a cgroup controller for block devices are needed");
      }
      Path work = Files.createDirectories(setting.work(stage));
      LoopDisk hdd = LoopDisk.create(work.resolve("hdd"), hddBytes, undo);
      LoopDisk ssd = LoopDisk.create(work.resolve("ssd"), ssdBytes, undo);
      return Optional.of(new HddDisks(hdd, ssd, IoGroup.create(hdd, undo)));
    } catch (IOException e) {
      String note = "Left out, all of " + stage + "/: " + e.getMessage();
      setting.say(note);
      setting.results().note(note);
      return Optional.empty();
    }
  }

  /** @return places of clusters whose data is on the HDD and whose pages are on the SSD. */
  Places places(Path work, long capacityBytes, List<Path> cgroups) {
    return new Places(work.resolve("base"), hdd.mount().resolve("data"),
        ssd.mount().resolve("pages"), capacityBytes, cgroups);
  }

  /** Lets the HDD be an HDD. */
  void slow() throws IOException {
    group.limit(HDD_BYTES_PER_SECOND, HDD_READS_PER_SECOND);
  }

  /** Lets the HDD be as fast as it can, for what is not measured. */
  void fast() throws IOException {
    group.unlimit();
  }
}
