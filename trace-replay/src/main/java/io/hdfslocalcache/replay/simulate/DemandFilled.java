/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.ArrayList;
import java.util.List;

/** A local cache as a DataNode has it: what reads of admitted blocks miss is filled. */
final class DemandFilled extends Simulation {

  /** Parts of a page that the next visit reads and the local cache keeps. */
  private record Kept(int page, int parts) {
  }

  private final Setting setting;
  private final Admission admission;
  private final SsdPages ssd;
  private final Flights flights = new Flights();
  private final List<Kept> kept = new ArrayList<>();

  /**
   * Prepares a run.
   *
   * @param disk the HDDs
   * @throws IllegalArgumentException if no whole page fits on the SSD
   */
  DemandFilled(Setting setting, PageTrace trace, Disk disk) {
    super(trace, disk);
    setting.capacityPages(trace);
    this.setting = setting;
    this.admission = new Admission(setting, trace);
    this.ssd = new SsdPages(trace, setting.capacity(), setting.eviction().policy());
  }

  @Override
  void begin(int read) {
    admission.begin(read);
    flights.land(trace.millis(read), this::landed);
  }

  @Override
  boolean isAdmitted() {
    return admission.admits();
  }

  @Override
  void readPage(int read, int place) {
    int page = trace.page(place);
    int from = trace.from(read, place);
    int to = trace.to(read, place);
    int wanted = trace.layout().partsOf(from, to);
    int found = ssd.read(page, wanted);
    int shared = found == wanted ? 0 : flights.of(page, wanted & ~found);
    int missing = wanted & ~found & ~shared;
    if (found != 0) {
      counts.hit(trace.layout().common(found, from, to), found == wanted);
    }
    if (shared != 0) {
      counts.shared(trace.layout().common(shared, from, to));
      waitUntil(flights.end(page, shared));
    }
    if (missing != 0) {
      miss(page, missing, trace.start(page) + from, trace.start(page) + to);
    }
  }

  /**
   * One visit covers what is missing of a page. An admitted page keeps it, in whole parts.
   *
   * @param start the first byte of the block that the read wants of the page
   * @param end the byte after the last
   */
  private void miss(int page, int missing, long start, long end) {
    long missingStart = trace.start(page, missing);
    long missingEnd = trace.end(page, missing);
    if (admission.admits() && admission.admitsPage(page)) {
      visit(missingStart, missingEnd);
      kept.add(new Kept(page, missing));
    } else {
      visit(Math.max(missingStart, start), Math.min(missingEnd, end));
    }
  }

  @Override
  void visited(double end) {
    kept.forEach(each -> flights.add(each.page, each.parts, end));
    kept.clear();
  }

  private void landed(int page, int parts) {
    ssd.add(page, parts, this::evicted);
    int bytes = trace.space(page, parts);
    counts.filled(parts, ssd.parts(page) == parts, bytes);
    admission.written(bytes);
  }

  private void evicted(Page page) {
    counts.evicted(page.wasRead);
    admission.evicted(page.number);
  }

  @Override
  Result end(DiskLoad load, DiskLoad without) {
    flights.land(Double.POSITIVE_INFINITY, this::landed);
    admission.close();
    return Result.of(setting, setting.limiter().title() + " " + setting.eviction(), trace, counts,
        load, without, ssd.reordered(), ssd.most(), admission.heapBytes());
  }
}
