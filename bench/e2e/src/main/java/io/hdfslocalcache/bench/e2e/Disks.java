/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * An emulated HDD, a separate SSD, and the group of processes for which the HDD is slow.
 */
record Disks(LoopDisk hdd, LoopDisk ssd, IoGroup group) {

  /** A drive of 16 TB: sequential bytes and random operations per second. */
  static final long HDD_BYTES_PER_SECOND = 160_000_000;
  static final long HDD_READS_PER_SECOND = 150;

  /** Creates them. @throws IOException if something is missing here */
  static Disks make(Path work, long hddBytes, long ssdBytes, Undo undo) throws IOException {
    Files.createDirectories(work);
    LoopDisk hdd = LoopDisk.create(work.resolve("hdd"), hddBytes, undo);
    LoopDisk ssd = LoopDisk.create(work.resolve("ssd"), ssdBytes, undo);
    return new Disks(hdd, ssd, IoGroup.create(hdd, undo));
  }

  /** @return places of clusters whose data is on the HDD and whose pages are on the SSD. */
  Places places(Path work) {
    return new Places(work.resolve("base"), hdd.mount().resolve("data"),
        ssd.mount().resolve("pages"), List.of());
  }

  /** Limits the HDD to its speed. */
  void slow() throws IOException {
    group.limit(HDD_BYTES_PER_SECOND, HDD_READS_PER_SECOND);
  }

  /** Gives the HDD full speed, for phases that are not measured. */
  void fast() throws IOException {
    group.unlimit();
  }
}
