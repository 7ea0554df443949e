/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.function.LongConsumer;

/** Plays a trace to a local cache that exists in numbers only. */
final class Simulation {

  /** How often progress is told. */
  static final int STEP = 1 << 16;

  private final Setting setting;
  private final PageTrace trace;
  private final Gate gate;
  private final PageCache cache;
  private final Tally tally;
  /** By page: whether it was read since it was filled. */
  private final long[] read;

  Simulation(Setting setting, PageTrace trace, Gate gate) {
    this.setting = setting;
    this.trace = trace;
    this.gate = gate;
    this.cache = setting.eviction().create(trace.pages(), setting.capacityPages(trace));
    this.tally = new Tally(trace);
    this.read = new long[trace.pages() / Long.SIZE + 1];
  }

  /**
   * Plays the trace.
   *
   * @param disk how long reads take
   * @param progress is told how many reads have been played since it was told last
   */
  Result run(Disk disk, LongConsumer progress) {
    for (int i = 0; i < trace.reads(); i++) {
      read(i);
      if ((i + 1) % STEP == 0) {
        progress.accept(STEP);
      }
    }
    progress.accept(trace.reads() % STEP);
    gate.close();
    return Result.of(setting, name(), trace, tally, disk, cache.size(), gate.heapBytes());
  }

  private String name() {
    return setting.limiter().shortName() + " " + setting.eviction();
  }

  private void read(int i) {
    gate.begin(i);
    int end = trace.first(i + 1);
    for (int place = trace.first(i); place < end; place++) {
      int page = trace.page(place);
      int bytes = trace.bytes(i, place);
      if (cache.read(page)) {
        tally.hit(bytes);
        read[page / Long.SIZE] |= 1L << page;
      } else {
        tally.miss(bytes);
        if (gate.admits() && gate.admitsPage(page)) {
          fill(page, bytes);
        }
      }
    }
    tally.endRead(i, gate);
  }

  private void fill(int page, int bytes) {
    tally.fill(page, bytes);
    gate.written(trace.fileBytes(page));
    read[page / Long.SIZE] &= ~(1L << page);
    int victim = cache.fill(page);
    if (victim != PageCache.NONE) {
      tally.evicted((read[victim / Long.SIZE] & 1L << victim) != 0);
    }
  }
}
