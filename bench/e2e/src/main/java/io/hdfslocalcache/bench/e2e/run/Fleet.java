/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.Load.Kind;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.Places;
import io.hdfslocalcache.bench.e2e.cluster.Variant;

/**
 * All DataNodes that are compared, up side by side on the same data, each with a NameNode of its own.
 * Only one is read from at a time.
 */
final class Fleet implements AutoCloseable {

  private static final int WARM_UPS = 2;
  private static final int MAX_PASSES = 100;

  private final Setting setting;
  private final Places places;
  private final int files;
  private final List<Cluster> clusters = new ArrayList<>();
  private Client client;

  private Fleet(Setting setting, Places places, int files) {
    this.setting = setting;
    this.places = places;
    this.files = files;
  }

  /**
   * Writes the files once, and starts the DataNodes on them.
   *
   * @param places each DataNode gets directories below these
   */
  static Fleet start(Setting setting, Places places, List<Variant> variants, int files)
      throws IOException, InterruptedException {
    Fleet fleet = new Fleet(setting, places, files);
    try {
      places.prepare();
      fleet.client = variants.stream().anyMatch(Variant::isShortCircuit)
          ? Client.startShortCircuit(setting.build(), places, Setting.FILE)
          : Client.start(setting.build(), places.base(), Setting.FILE);
      Places written = places.of("written");
      write(setting, fleet.client, written, files);
      for (Variant variant : variants) {
        fleet.add(variant, written);
      }
      return fleet;
    } catch (IOException | InterruptedException | RuntimeException e) {
      fleet.close();
      throw e;
    }
  }

  /** Writes files through a released DataNode, which is closed then. */
  static void write(Setting setting, Client client, Places written, int files)
      throws IOException, InterruptedException {
    setting.say("write " + files + " files of " + (Setting.FILE >> 20) + " MB");
    try (Cluster cluster = setting.cluster(written, Variant.STOCK)) {
      cluster.format();
      cluster.start();
      client.run(cluster, Load.of(Kind.WRITE, 0, files));
    }
  }

  private void add(Variant variant, Places written) throws IOException, InterruptedException {
    step("start " + variant.name());
    Cluster cluster = setting.cluster(places.of(variant.name().replace(' ', '-')), variant);
    clusters.add(cluster);
    cluster.share(written);
    cluster.start();
  }

  private void step(String what) {
    setting.say(what);
  }

  List<Cluster> clusters() {
    return clusters;
  }

  /** @return those that are one of the variants, in the order in which they were started. */
  List<Cluster> clusters(List<Variant> variants) {
    return clusters.stream().filter(cluster -> variants.contains(cluster.variant())).toList();
  }

  /**
   * @return all of them in another order each time, so that being first or after a certain other
   *     one favours none; the same again with the same seed
   */
  static List<Cluster> shuffled(List<Cluster> clusters, Random random) {
    List<Cluster> shuffled = new ArrayList<>(clusters);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  Client client() {
    return client;
  }

  /** Reads all files and compares every byte; twice if that fills pages, so that they are read. */
  void verify(Cluster cluster, int firstFile, int number) throws IOException, InterruptedException {
    step("verify " + number + " files of " + cluster.name());
    client.run(cluster, Load.of(Kind.VERIFY, firstFile, number));
    cluster.checkShortCircuit();
    if (cluster.variant().isCaching()) {
      if (cluster.variant().admits()) {
        fill(cluster, firstFile, number);
      }
      client.run(cluster, Load.of(Kind.VERIFY, firstFile, number));
    }
  }

  /**
   * Reads files until all their pages are cached. Fills keep a pace and their queue is bounded: what
   * is refused in one pass comes with a later one.
   */
  void fill(Cluster cluster, int firstFile, int number) throws IOException, InterruptedException {
    long wanted = number * (Setting.FILE / Setting.PAGE);
    for (int pass = 1; pass <= MAX_PASSES; pass++) {
      cluster.awaitFills();
      if (cluster.freshCounters().pages() >= wanted) {
        return;
      }
      client.run(cluster, Load.sequential(1, 0, firstFile, number));
    }
    throw new IOException(cluster.name() + " has "
        + cluster.freshCounters().pages() + " pages of " + wanted + " after " + MAX_PASSES
        + " passes over the files");
  }

  /**
   * Lets the JIT compilers see all kinds of reads, those of all DataNodes for the same time before
   * anything is measured: more than once in turn, since what is compiled depends on the machine's
   * load, too.
   */
  void warmUp(int number) throws IOException {
    double seconds = setting.options().warmUpSeconds();
    for (int i = 1; i <= WARM_UPS; i++) {
      for (Cluster cluster : clusters) {
        step("warm up " + i + "/" + WARM_UPS + " of " + cluster.name());
        client.run(cluster, Load.sequential(2, seconds, 0, number));
        client.run(cluster, Load.pread(8, 4096, seconds, 0, number).seed(i));
        client.run(cluster, Load.pread(8, 1 << 16, seconds, 0, number).seed(i));
      }
    }
  }

  /** Ends all processes and deletes the data. The logs stay. */
  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
    clusters.forEach(Cluster::close);
    places.discard();
  }
}
