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
  private final SsdPages ssd;
  private final Flights flights = new Flights();
  private final Visit visit = new Visit();
  private final DiskMeter disks;
  private final Tally tally;
  /** By page: whether it was read since it came to the SSD. */
  private final long[] read;
  /** When the current read has its bytes, in milliseconds since the trace began. */
  private double served;

  /**
   * Prepares a run.
   *
   * @param disk the HDDs
   * @throws IllegalArgumentException if no whole page fits on the SSD
   */
  Simulation(Setting setting, PageTrace trace, Gate gate, Disk disk) {
    setting.capacityPages(trace);
    this.setting = setting;
    this.trace = trace;
    this.gate = gate;
    this.ssd = new SsdPages(trace, setting.capacity(), setting.eviction().policy());
    this.disks = new DiskMeter(trace, disk);
    this.tally = new Tally(trace);
    this.read = new long[trace.pages() / Long.SIZE + 1];
  }

  /**
   * Plays the trace.
   *
   * @param without what the HDDs do without a local cache
   * @param progress is told how many reads have been played since it was told last
   */
  Result run(DiskLoad without, LongConsumer progress) {
    for (int i = 0; i < trace.reads(); i++) {
      read(i);
      if ((i + 1) % STEP == 0) {
        progress.accept(STEP);
      }
    }
    flights.land(Double.POSITIVE_INFINITY, this::landed);
    progress.accept(trace.reads() % STEP);
    gate.close();
    return Result.of(setting, name(), trace, tally, disks.load(), without, ssd.reordered(),
        ssd.most(), gate.heapBytes());
  }

  private String name() {
    return setting.limiter().title() + " " + setting.eviction();
  }

  private void read(int i) {
    gate.begin(i);
    served = trace.millis(i);
    flights.land(served, this::landed);
    for (int place = trace.first(i); place < trace.first(i + 1); place++) {
      readPage(i, place);
    }
    leave(i);
    tally.endRead(i, gate);
    disks.served(i, served);
  }

  private void readPage(int i, int place) {
    int page = trace.page(place);
    int from = trace.from(i, place);
    int to = trace.to(i, place);
    int wanted = trace.parts().of(from, to);
    int found = ssd.read(page, wanted);
    int shared = found == wanted ? 0 : flights.of(page, wanted & ~found);
    int missing = wanted & ~found & ~shared;
    if (found != 0) {
      tally.hit(trace.parts().common(found, from, to), found == wanted);
      read[page / Long.SIZE] |= 1L << page;
    }
    if (shared != 0) {
      tally.shared(trace.parts().common(shared, from, to));
      served = Math.max(served, flights.end(page, shared));
    }
    if (missing != 0) {
      miss(i, page, missing, from, to);
    }
  }

  /** One visit covers what is missing of a page. An admitted page keeps it, in whole parts. */
  private void miss(int i, int page, int missing, int from, int to) {
    boolean admitted = gate.admits() && gate.admitsPage(page);
    int start = trace.parts().start(missing);
    int end = trace.parts().end(missing, trace.dataBytes(page));
    long pageStart = trace.start(page);
    long first = pageStart + (admitted ? start : Math.max(start, from));
    if (!visit.reaches(first)) {
      leave(i);
    }
    visit.read(first, pageStart + (admitted ? end : Math.min(end, to)));
    if (admitted) {
      visit.keep(page, missing);
    }
  }

  private void leave(int i) {
    if (!visit.isEmpty()) {
      double end = disks.visit(i, visit.bytes());
      served = Math.max(served, end);
      visit.leave(end, flights);
    }
  }

  private void landed(int page, int parts) {
    if (ssd.parts(page) == 0) {
      read[page / Long.SIZE] &= ~(1L << page);
    }
    ssd.add(page, parts, this::evicted);
    int bytes = trace.space(page, parts);
    tally.filled(parts, ssd.parts(page) == parts, bytes);
    gate.written(bytes);
  }

  private void evicted(int page) {
    tally.evicted((read[page / Long.SIZE] & 1L << page) != 0);
    gate.evicted(page);
  }
}
