/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.SplittableRandom;

import io.hdfslocalcache.bench.e2e.report.Series.Interval;
import org.junit.Test;

public class TestInterval {

  private static final double EXACT = 1e-12;

  @Test
  public void median_oddAndEven() {
    assertEquals(3, Interval.of(9, 1, 3).median(), EXACT);
    assertEquals(2.5, Interval.of(4, 1, 2, 3).median(), EXACT);
  }

  @Test
  public void oneValue_hasNoEnds_noValue_noMedian() {
    assertEquals(7, Interval.of(7).median(), EXACT);
    assertFalse(Interval.of(7).isKnown());
    assertTrue(Double.isNaN(Interval.of().median()));
    assertEquals("", Interval.of().toString());
    assertEquals("7.000", Interval.of(7).toString());
  }

  @Test
  public void twoValues_goFromOneToTheOther() {
    Interval interval = Interval.of(1, 2);

    assertEquals(1, interval.low(), EXACT);
    assertEquals(2, interval.high(), EXACT);
    assertEquals("1.500 (1.000 to 2.000)", interval.toString());
  }

  @Test
  public void anOutlier_doesNotWidenIt() {
    Interval interval = Interval.of(1.00, 1.01, 0.99, 1.02, 0.98, 1.00, 1.01, 0.99, 9);

    assertTrue(interval.toString(), interval.high() < 1.03);
    assertTrue(interval.toString(), interval.low() >= 0.98);
  }

  @Test
  public void sameValues_inAnyOrder_sameInterval() {
    assertEquals(Interval.of(1, 5, 2, 8, 3), Interval.of(8, 3, 1, 2, 5));
  }

  /** What "95 %" says: of so many experiments, about so many intervals have the true median. */
  @Test
  public void truth_isInside_nearlyAlways() {
    SplittableRandom random = new SplittableRandom(7);
    int inside = 0;
    int experiments = 200;
    for (int i = 0; i < experiments; i++) {
      double[] values = random.doubles(15, 0, 2).toArray();
      Interval interval = Interval.of(values);
      inside += interval.low() <= 1 && 1 <= interval.high() ? 1 : 0;
    }
    assertTrue(inside + " of " + experiments, inside >= 0.88 * experiments);
    assertTrue(inside + " of " + experiments, inside < experiments);
  }
}
