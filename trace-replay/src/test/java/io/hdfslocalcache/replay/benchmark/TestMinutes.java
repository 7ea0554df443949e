/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.util.List;

import io.hdfslocalcache.replay.benchmark.Comparison.Minutes;
import org.junit.Test;

public class TestMinutes {

  private static final double CLOSE = 1e-9;
  private static final long SECOND = 1_000_000;

  /** One read in each minute that takes so many seconds; the first minute is the warm-up. */
  private static Phase phase(String name, int... seconds) {
    Tally warmUp = new Tally();
    Tally tally = new Tally();
    for (int minute = 0; minute < seconds.length; minute++) {
      long start = 60 * SECOND * minute;
      (minute == 0 ? warmUp : tally).add(start, start + seconds[minute] * SECOND, 1);
    }
    return new Phase(name, tally, warmUp, PhaseMaker.UNKNOWN, 60_000);
  }

  private static Minutes minutes(Phase off, Phase on) {
    return Minutes.of(List.of(off, on)).orElseThrow();
  }

  @Test
  public void warmUp_isAmongTheMinutes() {
    List<Phase> phases = List.of(phase("off", 10, 20, 20), phase("on", 20, 3, 2));
    Minutes minutes = Minutes.of(phases).orElseThrow();

    assertEquals(50, minutes.before(), CLOSE);
    assertEquals(25, minutes.after(), CLOSE);
    assertEquals(List.of(1), minutes.longer());
    assertEquals("with the warm-up: readers waited 50.0 s off, 25.0 s on, ratio 0.500; "
        + "longer in minute 1 of 3 minutes", minutes.text(phases));
  }

  @Test
  public void aPhaseThatHasEnded_waitsNoMore() {
    assertEquals(List.of(3, 4), minutes(phase("off", 10, 20), phase("on", 10, 9, 1, 1)).longer());
    assertEquals(List.of(), minutes(phase("off", 10, 20, 5), phase("on", 10, 9)).longer());
  }

  @Test
  public void noMinute_isCalledNone() {
    List<Phase> phases = List.of(phase("off", 10), phase("on", 9));

    assertEquals("with the warm-up: readers waited 10.0 s off, 9.0 s on, ratio 0.900; "
        + "longer in none of 1 minute", Minutes.of(phases).orElseThrow().text(phases));
  }

  @Test
  public void onePhase_orNoWaiting_isNotCompared() {
    assertFalse(Minutes.of(List.of(phase("off", 10))).isPresent());
    assertFalse(Minutes.of(List.of(phase("off"), phase("on"))).isPresent());
  }
}
