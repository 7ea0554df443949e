/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.hdfslocalcache.harness.ProcessCluster.Places;

/**
 * Compared DataNodes that run at the same time on the same data, each with its own NameNode. Only
 * one is read at a time.
 */
final class SideBySide implements AutoCloseable {

  private static final int WARM_UPS = 2;

  /** The process groups of a DataNode. */
  interface Groups {
    List<Path> of(Variant variant) throws IOException;
  }

  private final Bench bench;
  private final Places places;
  private final Random order;
  private final List<Cluster> clusters = new ArrayList<>();

  /**
   * Writes the files once, and starts the DataNodes on them.
   *
   * @param places each DataNode gets directories below these
   * @param capacity bytes that pages may take on each
   */
  SideBySide(Bench bench, Places places, Groups groups, long capacity, List<Variant> variants,
      int files) throws IOException, InterruptedException {
    this.bench = bench;
    this.places = places;
    this.order = new Random(bench.seed);
    boolean started = false;
    try {
      places.prepare();
      Places written = places.of("written");
      System.out.println("write " + files + " files");
      Cluster.write(bench.hadoop, written, files);
      for (Variant variant : variants) {
        System.out.println("start " + variant.name());
        Cluster cluster = new Cluster(
            bench.hadoop, places.of(variant.directory()).in(groups.of(variant)), capacity, variant);
        clusters.add(cluster);
        cluster.start(written);
      }
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  List<Cluster> clusters() {
    return clusters;
  }

  /**
   * @return the clusters of the variants, in another order each time, so that the order favours
   *     none; repeatable with the same seed
   */
  List<Cluster> shuffled(List<Variant> variants) {
    List<Cluster> shuffled = new ArrayList<>(clusters.stream()
        .filter(cluster -> variants.contains(cluster.variant())).toList());
    Collections.shuffle(shuffled, order);
    return shuffled;
  }

  /** Compares every byte of the first files. */
  void verify(int files) throws IOException, InterruptedException {
    for (Cluster cluster : clusters) {
      System.out.println("verify " + files + " files of " + cluster.name());
      cluster.verify(files);
    }
  }

  /**
   * Warms up the JIT compilers of all DataNodes with all kinds of reads, for the same time before
   * any measurement: several times in turn, because compilation depends on the machine's load too.
   */
  void warmUp(int files) throws IOException, InterruptedException {
    double seconds = bench.warmUpSeconds();
    for (int i = 1; i <= WARM_UPS; i++) {
      for (Cluster cluster : clusters) {
        System.out.println("warm up " + i + "/" + WARM_UPS + " of " + cluster.name());
        Load.run(cluster.files(), Load.files(2, seconds, files));
        Load.run(cluster.files(), Load.random(8, 4096, seconds, files, i));
        Load.run(cluster.files(), Load.random(8, 1 << 16, seconds, files, i));
      }
    }
  }

  /** Ends all processes and deletes the data. The logs stay. */
  @Override
  public void close() throws IOException {
    for (Cluster cluster : clusters) {
      cluster.close();
    }
    places.discard();
  }
}
