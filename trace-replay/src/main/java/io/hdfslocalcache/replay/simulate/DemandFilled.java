/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.SsdPages.Page;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace.Replica;

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
    this.ssd = new SsdPages(trace, setting.capacity());
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
    return Result.of(setting, setting.limiter().title(), trace, counts, load,
        without, ssd.most(), admission.heapBytes());
  }

  /**
   * What a simulation asks its limiter and tells it, read by read. The limiter is told the
   * capacity, as in a DataNode with one SSD of that size.
   */
  static final class Admission implements AutoCloseable {

    private static final int MEASURE_HEAP = 1 << 16;

    private final PageTrace trace;
    private final CacheRateLimiter limiter;
    private long now;
    private Replica replica;
    private boolean isDecided;
    private boolean admitted;
    private long heapBytes;

    Admission(Setting setting, PageTrace trace) {
      this.trace = trace;
      this.limiter = setting.limiter().create(setting.capacity(), () -> now);
    }

    /** A read begins. */
    void begin(int read) {
      now = trace.millis(read);
      replica = trace.replica(read);
      limiter.record(
          replica.blockPool(), replica.blockId(), trace.offset(read), trace.length(read));
      isDecided = false;
      if (read % MEASURE_HEAP == 0 && limiter instanceof BucketTimeRateLimit counted) {
        heapBytes = Math.max(heapBytes, counted.heapBytes());
      }
    }

    /** @return whether the block of the read is admitted; asked when a page of it is missed. */
    boolean admits() {
      if (!isDecided) {
        admitted = limiter.admits(replica.blockPool(), replica.blockId());
        isDecided = true;
      }
      return admitted;
    }

    /** @return whether a page of an admitted block keeps the parts that are missed. */
    boolean admitsPage(int page) {
      return limiter.admits(replica.blockPool(), replica.blockId(), trace.pageInBlock(page));
    }

    /** Parts of a page were written to the SSD. @param bytes what they take there */
    void written(long bytes) {
      limiter.written(bytes);
    }

    /** A page left to make room. */
    void evicted(int page) {
      Replica of = trace.replicaOf(page);
      limiter.evicted(of.blockPool(), of.blockId(), trace.pageInBlock(page));
    }

    /** @return the most heap that the limiter took, in bytes; 0 if it does not tell. */
    long heapBytes() {
      return heapBytes;
    }

    @Override
    public void close() {
      limiter.close();
    }
  }

  /** Parts of pages that are on their way from a disk. */
  static final class Flights {

    /**
     * Some parts of a page.
     *
     * @param at when they are there, in milliseconds since the trace began
     * @param number orders those that are there at the same time
     */
    private record Flight(int page, int parts, double at, long number) {
    }

    /** Is told what has landed. */
    interface Landing {
      void landed(int page, int parts);
    }

    private final PriorityQueue<Flight> inOrder = new PriorityQueue<>(
        Comparator.comparingDouble(Flight::at).thenComparingLong(Flight::number));
    private final Map<Integer, List<Flight>> byPage = new HashMap<>();
    private long begun;

    /** Parts begin their way, none of which is on its way. @param at when they are there */
    void add(int page, int parts, double at) {
      Flight flight = new Flight(page, parts, at, begun++);
      byPage.computeIfAbsent(page, first -> new ArrayList<>(1)).add(flight);
      inOrder.add(flight);
    }

    /** @return those of some parts of a page that are on their way. */
    int of(int page, int parts) {
      int found = 0;
      for (Flight flight : byPage.getOrDefault(page, List.of())) {
        found |= flight.parts & parts;
      }
      return found;
    }

    /** @return when the last of some parts is there that are on their way. */
    double end(int page, int parts) {
      double end = 0;
      for (Flight flight : byPage.get(page)) {
        end = (flight.parts & parts) == 0 ? end : Math.max(end, flight.at);
      }
      return end;
    }

    /** Ends all that are there at a time, in their order. */
    void land(double now, Landing landing) {
      while (!inOrder.isEmpty() && inOrder.peek().at <= now) {
        Flight landed = inOrder.remove();
        byPage.computeIfPresent(landed.page, (page, all) -> {
          all.remove(landed);
          return all.isEmpty() ? null : all;
        });
        landing.landed(landed.page, landed.parts);
      }
    }
  }
}
