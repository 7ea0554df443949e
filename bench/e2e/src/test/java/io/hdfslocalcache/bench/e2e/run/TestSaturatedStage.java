/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.bench.e2e.cluster.Variant;
import org.junit.Test;

public class TestSaturatedStage {

  private static Options parse(String... args) {
    return Options.parse(Path.of("/work"), args);
  }

  @Test
  public void seconds_areWholeSteps_andNoMoreThanAHundred() {
    assertEquals(100, SaturatedStage.seconds(parse()), 0);
    assertEquals(100, SaturatedStage.seconds(parse("--seconds", "4")), 0);
    assertEquals(50, SaturatedStage.seconds(parse("--quick")), 0);
    assertEquals(20, SaturatedStage.seconds(parse("--seconds", "0.1")), 0);
    assertEquals(40, SaturatedStage.seconds(parse("--seconds", "0.19")), 0);
  }

  @Test
  public void rounds_oneIfNoneAreAskedFor() {
    assertTrue(SaturatedStage.inWords(parse()).startsWith("1 rounds of 100 s "));
    assertTrue(SaturatedStage.inWords(parse("--rounds", "3")).startsWith("3 rounds of 100 s "));
  }

  @Test
  public void each_isFirstInTurn() {
    List<Variant> first = SaturatedStage.order(1);
    List<Variant> second = SaturatedStage.order(2);

    assertEquals(Variant.STOCK, first.get(0));
    assertEquals(Variant.STOCK, second.get(1));
    assertEquals(first.get(1), second.get(0));
    assertEquals(first, SaturatedStage.order(3));
  }

  @Test
  public void localCache_isAsByDefault() {
    Variant variant = SaturatedStage.order(1).get(1);

    assertTrue(variant.isCaching());
    assertTrue(variant.patched());
    assertFalse("admits as by default", variant.admits());
    assertEquals("the interceptor, and that it is on", 2, variant.conf().size());
  }

  @Test
  public void isPartOfAFullRun_butNotOfAQuickOne() {
    assertTrue(parse().wantsStage("saturated"));
    assertFalse(parse("--quick").wantsStage("saturated"));
    assertTrue(parse("--quick", "--only", "saturated").wants("saturated/zipf-64k-32"));
    assertFalse(parse("--only", "saturated").wantsStage("hdd"));
  }
}
