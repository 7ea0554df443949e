/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.bench.e2e.CachedStage.Part;
import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;

/**
 * Hits on an SSD compared with stock DataNodes whose replicas are on the same SSD by the policy
 * ALL_SSD. Each has so little memory that the OS page cache holds little of the data.
 */
final class SsdStage {

  private static final int FILES = 24;
  private static final int QUICK_FILES = 12;
  /** MB of a file on the SSD, with checksums and file system overhead. */
  private static final long MB_OF_FILE = 144;

  private final Bench bench;
  private final Undo undo;

  SsdStage(Bench bench, Undo undo) {
    this.bench = bench;
    this.undo = undo;
  }

  void run() throws IOException, InterruptedException {
    int files = bench.quick ? QUICK_FILES : FILES;
    CachedStage stage = new CachedStage(bench, EnumSet.of(Part.SSD), files);
    List<Variant> variants = stage.variants();
    LoopDisk ssd = LoopDisk.inMemory((variants.size() * files * MB_OF_FILE) << 20, undo);
    Path work = bench.work("ssd");
    Places places =
        new Places(work.resolve("base"), work.resolve("data"), ssd.mount(), List.of());
    try (SideBySide clusters =
        new SideBySide(bench, places, this::group, 2 * files * BenchFiles.LENGTH, variants, files)) {
      for (Cluster cluster : clusters.clusters()) {
        if (!cluster.variant().isPatched()) {
          System.out.println("move the replicas of " + cluster.name() + " to the SSD");
          cluster.store(IntStream.range(0, files).boxed().toList(), "ALL_SSD");
        }
      }
      stage.measure(clusters);
    }
  }

  private List<Path> group(Variant variant) throws IOException {
    return List.of(IoGroup.memoryGroup(variant.directory(), SaturatedStage.MEMORY, undo));
  }
}
