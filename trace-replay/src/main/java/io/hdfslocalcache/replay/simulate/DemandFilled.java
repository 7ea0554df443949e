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
import java.util.function.BiConsumer;

import io.hdfslocalcache.eviction.LazyLru;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Replica;

/** A local cache like a DataNode's: misses of admitted blocks are filled. */
final class DemandFilled extends Simulation {

  /** Parts of a page that the next visit reads and the local cache keeps. */
  private record Kept(int page, int parts) {
  }

  /** A page on the SSD, from its fill to its eviction. */
  private static final class Page extends LazyLru.Entry {
    private final int number;
    /** The cached parts, a bit for each. */
    private int parts;
    /** Whether it was read since it was filled. */
    private boolean wasRead;

    Page(int number) {
      this.number = number;
    }
  }

  private static final int MEASURE_HEAP = 1 << 16;

  private final CacheRateLimiter limiter;
  private final LazyLru order = new LazyLru();
  /** By number; null: no part of the page is cached. */
  private final Page[] pages;
  private final Flights flights = new Flights();
  private final List<Kept> kept = new ArrayList<>();
  /** Time of the current read for the limiter. */
  private long now;
  private Replica replica;
  private boolean isDecided;
  private boolean admitted;
  /** Pages on the SSD, and bytes of their parts. */
  private int size;
  private long used;

  /**
   * Prepares a run. The limiter is told the capacity, as in a DataNode with one SSD of that size.
   *
   * @param disk the HDDs
   * @throws IllegalArgumentException if no whole page fits on the SSD
   */
  DemandFilled(Setting setting, PageTrace trace, Disk disk) {
    super(setting, setting.limiter().title(), trace, disk);
    setting.capacityPages(trace);
    this.limiter = setting.limiter().create(setting.capacity(), () -> now);
    this.pages = new Page[trace.pages()];
  }

  @Override
  void begin(int read) {
    now = trace.millis(read);
    Access access = trace.read(read);
    replica = trace.replica(read);
    limiter.record(
        replica.blockPool(), replica.blockId(), access.offset(), access.length());
    isDecided = false;
    if (read % MEASURE_HEAP == 0) {
      limiterHeap = Math.max(limiterHeap, limiter.heapBytes());
    }
    flights.land(now, this::landed);
  }

  /** The limiter is asked when a page of the block is missed, and once per read. */
  @Override
  boolean isAdmitted() {
    if (!isDecided) {
      admitted = limiter.admits(replica.blockPool(), replica.blockId());
      isDecided = true;
    }
    return admitted;
  }

  @Override
  void readPage(int read, int place) {
    int number = trace.page(place);
    int from = trace.from(read, place);
    int to = trace.to(read, place);
    int wanted = trace.layout().partsOf(from, to);
    Page page = pages[number];
    int found = page == null ? 0 : page.parts & wanted;
    int shared = found == wanted ? 0 : flights.of(number, wanted & ~found);
    int missing = wanted & ~found & ~shared;
    if (found != 0) {
      page.wasRead = true;
      order.read(page);
      hit(trace.layout().common(found, from, to), found == wanted);
    }
    if (shared != 0) {
      waitUntil(flights.end(number, shared));
    }
    if (missing != 0) {
      miss(number, missing, trace.start(number) + from, trace.start(number) + to);
    }
  }

  /**
   * One visit covers the missing bytes of a page. They are filled if admitted, in whole parts.
   *
   * @param start the first byte of the block that the read wants of the page
   * @param end the byte after the last
   */
  private void miss(int page, int missing, long start, long end) {
    long missingStart = trace.start(page, missing);
    long missingEnd = trace.end(page, missing);
    if (isAdmitted()
        && limiter.admits(replica.blockPool(), replica.blockId(), trace.pageInBlock(page))) {
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

  /** Adds missing parts to the SSD, and evicts pages for them in the DataNode's order. */
  private void landed(int number, int parts) {
    if (limiter.isBudgetSpent()) {
      // Spent since they were admitted.
      return;
    }
    int space = trace.space(number, parts);
    if (pages[number] != null) {
      order.read(pages[number]);
    }
    while (used + space > setting.capacity()) {
      evict((Page) order.victim());
    }
    boolean isNew = pages[number] == null;
    if (isNew) {
      pages[number] = new Page(number);
      Replica of = trace.replicaOf(number);
      order.add(pages[number], limiter.wasMissedBefore(
          of.blockPool(), of.blockId(), trace.pageInBlock(number)));
      size++;
      mostPages = Math.max(mostPages, size);
    }
    pages[number].parts |= parts;
    used += space;
    filled(parts, isNew, space);
    limiter.written(space);
  }

  /** Evicts a whole page. */
  private void evict(Page page) {
    order.remove(page);
    pages[page.number] = null;
    size--;
    used -= trace.space(page.number, page.parts);
    evicted(page.wasRead);
    Replica of = trace.replicaOf(page.number);
    limiter.evicted(of.blockPool(), of.blockId(), trace.pageInBlock(page.number));
  }

  @Override
  void end() {
    flights.land(Double.POSITIVE_INFINITY, this::landed);
    limiter.close();
  }

  /** Parts of pages being read from a disk. */
  static final class Flights {

    /**
     * Some parts of a page.
     *
     * @param at when they are there, in milliseconds since the trace began
     * @param number order of parts that arrive at the same time
     */
    private record Flight(int page, int parts, double at, long number) {
    }

    private final PriorityQueue<Flight> inOrder = new PriorityQueue<>(
        Comparator.comparingDouble(Flight::at).thenComparingLong(Flight::number));
    private final Map<Integer, List<Flight>> byPage = new HashMap<>();
    private long begun;

    /** Adds parts whose read begins, none of which is being read. @param at when they arrive */
    void add(int page, int parts, double at) {
      Flight flight = new Flight(page, parts, at, begun++);
      byPage.computeIfAbsent(page, first -> new ArrayList<>(1)).add(flight);
      inOrder.add(flight);
    }

    /** @return the parts of a page among these that are being read. */
    int of(int page, int parts) {
      int found = 0;
      for (Flight flight : byPage.getOrDefault(page, List.of())) {
        found |= flight.parts & parts;
      }
      return found;
    }

    /** @return when the last of some parts being read arrives. */
    double end(int page, int parts) {
      double end = 0;
      for (Flight flight : byPage.get(page)) {
        end = (flight.parts & parts) == 0 ? end : Math.max(end, flight.at);
      }
      return end;
    }

    /** Ends all that have arrived at a time, in order. @param landing is told page and parts */
    void land(double now, BiConsumer<Integer, Integer> landing) {
      while (!inOrder.isEmpty() && inOrder.peek().at <= now) {
        Flight landed = inOrder.remove();
        byPage.computeIfPresent(landed.page, (page, all) -> {
          all.remove(landed);
          return all.isEmpty() ? null : all;
        });
        landing.accept(landed.page, landed.parts);
      }
    }
  }
}
