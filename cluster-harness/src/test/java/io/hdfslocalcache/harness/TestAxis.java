/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;

import java.util.List;

import io.hdfslocalcache.harness.Chart.Axis;
import org.junit.Test;

/** Marks and places on an axis. */
public class TestAxis {

  @Test
  public void marks_anyRange_areRoundNumbers() {
    assertEquals(List.of(0.0, 5.0, 10.0, 15.0, 20.0), Axis.upTo("hours", 20).marks());
    assertEquals(List.of(0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0), Axis.upTo("drives", 3).marks());
    assertEquals("0.125", Axis.text(0.125));
    assertEquals("1,000", Axis.text(1000));
    assertEquals("4", Axis.text(4));
  }

  @Test
  public void place_logarithm_sameRatioIsTheSameStep() {
    Axis axis = Axis.log("size", 0.5, 8, List.of());
    assertEquals(0, axis.place(0.5), 1e-9);
    assertEquals(0.5, axis.place(2), 1e-9);
    assertEquals(1, axis.place(8), 1e-9);
  }
}
