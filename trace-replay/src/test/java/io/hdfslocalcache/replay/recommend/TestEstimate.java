/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.replay.text.Text;
import org.junit.Test;

/** What a trace says about an SSD, and what it is too short for. */
public class TestEstimate {

  private static final double NEAR = 1e-9;

  private static void assertNothingOfTimeToCome(Estimate estimate) {
    assertFalse(estimate.isSteady());
    assertNull(estimate.writes());
    assertNull(estimate.years());
    assertNull(estimate.writtenForSaved());
    assertEquals("-", estimate.yearsText());
  }

  @Test
  public void traceOf80Seconds_saysThatItSaysNothingOfADay() {
    Estimate estimate = new Simulated(80 / 3600.0, 20).spans(0, 20, 0.4, 10).estimate();
    assertNothingOfTimeToCome(estimate);
    assertNull("a price is by day, too", estimate.pricePerTb());
    assertEquals("", estimate.costText());
    assertTrue(estimate.offloadText(), estimate.offloadText().contains("The trace is 80 s long"));
    assertEquals("A trace of 80 s is too short to say what is written or saved in a day, or how "
        + "long the SSD lasts: this needs 12 hours at least.", estimate.lifeText());
  }

  @Test
  public void firstFilling_isApartFromWhatComesAfterIt() {
    Estimate estimate = Simulated.steady().estimate();
    assertEquals(8, estimate.filledHours(), NEAR);
    assertEquals("6 hours with 12 GB", 0.48, estimate.writes().low(), NEAR);
    assertEquals("the filling is in neither half", 0.5, estimate.offloads().low(), NEAR);
    assertEquals(0.6, estimate.offloads().high(), NEAR);
    assertEquals("it is in all of the trace", 0.37, estimate.offload(), NEAR);
    assertEquals("54 GB for 66", 54 / 66.0, estimate.writtenForSaved(), NEAR);
  }

  /** It may save up to a day's budget while it fills; that does not count for its life. */
  @Test
  public void writes_areNeverAboveWhatIsAllowed_andTheLifeFollowsFromThem() {
    Estimate estimate = Simulated.steady().estimate();
    assertEquals("42 GB in 6 hours would be 1.68", 1, estimate.writes().high(), NEAR);
    assertEquals("what is promised at least", 5, estimate.years().low(), NEAR);
    assertEquals(5 / 0.48, estimate.years().high(), NEAR);
    assertEquals("After its first filling, the limiter writes the SSD 1 times a day at most, which "
        + "its endurance allows. In this trace it was full after 8.0 hours, and then written 0.48 "
        + "to 1.00 times a day: it would last 5.0 to 10.4 years.", estimate.lifeText());
  }

  @Test
  public void ssdThatIsNeverFull_showsNothingOfAfterwards() {
    Estimate estimate = new Simulated(48, 20).spans(0, 20, 0.4, 4).estimate();
    assertNothingOfTimeToCome(estimate);
    assertTrue(estimate.lifeText(), estimate.lifeText().contains("It is not full at the end of the "
        + "trace, so the trace does not show what is written then"));
  }

  @Test
  public void ssdThatIsFullShortBeforeTheEnd_showsNothingOfAfterwards() {
    Estimate estimate =
        new Simulated(20, 20).spans(0, 15, 0.4, 6).spans(15, 20, 0.4, 20).estimate();
    assertNothingOfTimeToCome(estimate);
    assertTrue(estimate.lifeText(), estimate.lifeText().contains("It is full after 15.0 hours, so"));
  }

  /** A long span at the end has no halves. */
  @Test
  public void ssdThatIsFullBeforeTheLastSpan_showsNothingOfAfterwards() {
    Estimate estimate = new Simulated(400, 60).spans(0, 58, 0.4, 1).spans(58, 59, 0.4, 32)
        .spans(59, 60, 0.4, 5).estimate();
    assertNothingOfTimeToCome(estimate);
    assertEquals(0.4, estimate.offloads().low(), NEAR);
  }

  @Test
  public void nothingWrittenAfterwards_lastsLongerThanAnyHost() {
    Estimate estimate = new Simulated(20, 20).spans(0, 4, 0.4, 22.5).spans(4, 5, 0.4, 1).estimate();
    assertEquals(0, estimate.writes().low(), NEAR);
    assertEquals(100, estimate.years().high(), NEAR);
    assertTrue(estimate.yearsText(), estimate.yearsText().endsWith(" to more than 20 years")
        || estimate.yearsText().equals("more than 20 years"));
  }

  @Test
  public void price_isOfReadsTakenOffInTheYearsOfTheWarranty() {
    Estimate.Range price = Simulated.steady().estimate().pricePerTb();
    assertNotNull(price);
    double perDay = 60 * 0.6 * 4 / 1024;
    assertEquals(1000 / (5 * 365 * perDay), price.low(), NEAR);
    assertEquals(1000 / (5 * 365 * perDay * 0.5 / 0.6), price.high(), NEAR);
    assertNull("nothing was taken off in one half",
        new Simulated(20, 20).spans(0, 10, 0.5, 1).estimate().pricePerTb());
  }

  @Test
  public void length_isInTheUnitThatFits() {
    assertEquals("80 s", Text.length(80 / 3600.0));
    assertEquals("40 minutes", Text.length(2 / 3.0));
    assertEquals("20.0 hours", Text.length(20));
  }
}
