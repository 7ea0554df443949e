/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.simulate.DemandFilled.Flights;
import org.junit.Test;

/** Parts on their way. */
public class TestFlights {

  private static final double NEAR = 1e-9;
  private final Flights flights = new Flights();
  private final List<String> landed = new ArrayList<>();

  private void land(double now) {
    landed.clear();
    flights.land(now, (page, parts) -> landed.add(page + ":" + parts));
  }

  @Test
  public void land_severalOfAPage_eachAtItsTime() {
    flights.add(7, 0b001, 10);
    flights.add(7, 0b010, 30);
    flights.add(7, 0b100, 20);
    flights.add(8, 0b1, 15);
    land(15);
    assertEquals(List.of("7:1", "8:1"), landed);
    assertEquals(0b110, flights.of(7, 0b111));
    assertEquals(30, flights.end(7, 0b010), NEAR);
    assertEquals(20, flights.end(7, 0b100), NEAR);
    assertEquals(30, flights.end(7, 0b110), NEAR);
    land(20);
    assertEquals(List.of("7:4"), landed);
    land(100);
    assertEquals(List.of("7:2"), landed);
    assertEquals(0, flights.of(7, 0b111));
  }

  @Test
  public void of_otherPageOrParts_none() {
    flights.add(7, 0b001, 10);
    assertEquals(0, flights.of(7, 0b110));
    assertEquals(0, flights.of(8, 0b001));
  }
}
