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

/** Parts of pages that are on their way from a disk. */
final class Flights {

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
