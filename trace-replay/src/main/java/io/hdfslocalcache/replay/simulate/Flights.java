/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** Parts of pages that are on their way from a disk. */
final class Flights {

  /** Some parts of a page, and when they are there, in milliseconds since the trace began. */
  private static final class Flight {
    private final int page;
    private final int parts;
    private final double at;
    private final long number;
    /** Others of the same page. */
    private Flight other;

    Flight(int page, int parts, double at, long number) {
      this.page = page;
      this.parts = parts;
      this.at = at;
      this.number = number;
    }
  }

  /** Is told what has landed. */
  interface Landing {
    void landed(int page, int parts);
  }

  private final PriorityQueue<Flight> inOrder = new PriorityQueue<>(Comparator
      .comparingDouble((Flight flight) -> flight.at).thenComparingLong(flight -> flight.number));
  private final Map<Integer, Flight> byPage = new HashMap<>();
  private long begun;

  /** Parts begin their way, none of which is on its way. @param at when they are there */
  void add(int page, int parts, double at) {
    Flight flight = new Flight(page, parts, at, begun++);
    flight.other = byPage.put(page, flight);
    inOrder.add(flight);
  }

  /** @return those of some parts of a page that are on their way. */
  int of(int page, int parts) {
    int found = 0;
    for (Flight flight = byPage.get(page); flight != null; flight = flight.other) {
      found |= flight.parts & parts;
    }
    return found;
  }

  /** @return when the last of some parts is there that are on their way. */
  double end(int page, int parts) {
    double end = 0;
    for (Flight flight = byPage.get(page); flight != null; flight = flight.other) {
      end = (flight.parts & parts) == 0 ? end : Math.max(end, flight.at);
    }
    return end;
  }

  /** Ends all that are there at a time, in their order. */
  void land(double now, Landing landing) {
    while (!inOrder.isEmpty() && inOrder.peek().at <= now) {
      Flight landed = inOrder.remove();
      byPage.computeIfPresent(landed.page, (page, first) -> without(landed, first));
      landing.landed(landed.page, landed.parts);
    }
  }

  private static Flight without(Flight landed, Flight first) {
    if (first == landed) {
      return landed.other;
    }
    Flight before = first;
    while (before.other != landed) {
      before = before.other;
    }
    before.other = landed.other;
    return first;
  }
}
