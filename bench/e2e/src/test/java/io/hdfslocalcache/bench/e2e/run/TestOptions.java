/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.run.CachedStages.Part;
import org.junit.Test;
import picocli.CommandLine.ParameterException;

public class TestOptions {

  private static Options parse(String... args) {
    return Options.parse(Path.of("/work"), args);
  }

  private static String error(String... args) {
    return assertThrows(ParameterException.class, () -> parse(args)).getMessage();
  }

  @Test
  public void defaults() {
    Options options = parse();

    assertTrue("medians of at least five rounds", options.rounds >= 5);
    assertEquals(0.5, options.seconds, 0);
    assertEquals("full", options.name());
    assertTrue(options.wants("saturated/zipf-64k-32"));
  }

  @Test
  public void quick_isShorter() {
    Options options = parse("--quick");

    assertEquals(2, options.rounds);
    assertEquals("quick", options.name());
    assertTrue(options.wants("hit/seq-1"));
    assertFalse(options.wants("saturated/zipf-64k-32"));
    assertEquals("said explicitly", 7, parse("--quick", "--rounds", "7").rounds);
  }

  @Test
  public void only_stagesAndPaths() {
    Options options = parse("--quick", "--only", "bypass,hit/seq-1,saturated");

    assertTrue(options.wants("bypass/seq-1"));
    assertTrue(options.wants("hit/seq-1"));
    assertFalse(options.wants("hit/seq-4"));
    assertTrue(options.wants("saturated/zipf-64k-32"));
    assertTrue(options.wantsStage("hit"));
    assertFalse(options.wantsStage("fill"));
  }

  @Test
  public void badValues_saidInOneLine() {
    assertTrue(error("--rounds", "0x").contains("--rounds"));
    assertEquals("--rounds: must be from 1 to 100, not 101", error("--rounds", "101"));
    assertEquals("--seconds: must be from 0.1 to 60, not 0.05", error("--seconds", "0.05"));
    assertEquals("--only: there is no 'hits'; --list shows what there is",
        error("--only", "hits"));
    assertTrue(error("--name", "../x").startsWith("--name: "));
  }

  @Test
  public void seed_isSaid_orChosen_andInTheResults() {
    Options options = parse("--seed", "17", "--rounds", "1", "--seconds", "1");

    assertEquals(17, options.seed.longValue());
    assertEquals("1 rounds of 3 slices of 1.0 s, seed 17", options.slicesInWords());
    Options chosen = parse();
    assertTrue(chosen.slicesInWords().endsWith("seed " + chosen.seed));
  }

  @Test
  public void parts_compareWithStockTwice() {
    for (Part part : Part.values()) {
      List<Variant> variants = part.variants();
      assertEquals(Variant.STOCK, variants.get(0));
      assertEquals(Variant.STOCK_AGAIN, variants.get(1));
    }
    assertEquals(List.of("seq-1", "pread-64k-1"), Part.FILL.loads(parse()));
    assertEquals(List.of("seq-1"), Part.BYPASS.loads(parse("--only", "bypass/seq-1")));
  }

  @Test
  public void everyPathOfLoads_hasALoad() {
    for (String path : Options.PATHS) {
      if (path.matches("(hit|bypass|miss|fill|local)/.*")) {
        assertTrue(path, Load.named(path.substring(path.indexOf('/') + 1), 1, 2).readers() > 0);
      }
    }
  }
}
