/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;

/** An HDD and an SSD of one of the compared systems, perhaps with a cache between them. */
interface PeerDisks extends AutoCloseable {

  /** Its cache: HDD and SSD are beside each other. */
  String NO_CACHE = "none";

  /** @return a directory on the HDD. */
  Path hdd();

  /** @return a directory on the SSD, if it is no cache of the HDD. */
  Path ssd();

  /** Attaches the empty cache to the HDD. */
  default void attachCache() throws IOException {
  }

  /** Lets an emulated HDD do no more than this in a second; 0: as fast as it can. */
  default void limit(long operations, long bytes) throws IOException {
  }

  /** @return the cache's own statistics. */
  default String state() throws IOException {
    return NO_CACHE;
  }

  /** @return the counters of both disks, and of the CPU that serves them. */
  Counters counters() throws IOException;

  /**
   * Counters of both disks.
   *
   * @param idle ticks of the CPU of the guest that serves them
   * @param ticks all of them
   */
  record Counters(DiskStat hdd, DiskStat ssd, double idle, double ticks) {

    /** @return the difference from earlier counters. */
    Counters since(Counters earlier) {
      return new Counters(hdd.since(earlier.hdd), ssd.since(earlier.ssd), idle - earlier.idle,
          ticks - earlier.ticks);
    }

    /** @return the share of time in which the guest's CPU had nothing to do; 1: there is no guest. */
    double idleShare() {
      return ticks == 0 ? 1 : idle / ticks;
    }
  }

  @Override
  void close();

  /** Directories on this machine's own disks, at their own speed. */
  record OfThisMachine(Path hdd, Path ssd) implements PeerDisks {

    @Override
    public Counters counters() throws IOException {
      return new Counters(DiskStat.of(hdd), DiskStat.of(ssd), 0, 0);
    }

    @Override
    public void close() {
    }
  }
}
