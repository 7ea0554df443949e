/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.bench.e2e.report.Results.Row;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestComparison {

  private static final double EXACT = 1e-9;

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  private Results results;

  @Before
  public void setUp() throws IOException {
    results = new Results(directory.getRoot().toPath());
  }

  private void add(String path, String variant, int round, Figure figure, double value)
      throws IOException {
    results.add(Row.of(path, variant, round).set(figure, value));
  }

  @Test
  public void ratio_isTakenWithinRounds() throws IOException {
    double[] stock = {100, 200, 400};
    double[] own = {99, 194, 200};
    for (int i = 0; i < stock.length; i++) {
      add("hit/seq-1", "stock", i + 1, Figure.MB_PER_SECOND, stock[i]);
      add("hit/seq-1", "in memory", i + 1, Figure.MB_PER_SECOND, own[i]);
    }

    List<Comparison> lines = Comparison.all(results);

    assertEquals(1, lines.size());
    Comparison line = lines.get(0);
    // Of the medians it would be 194 / 200, too, but not the least and the most.
    assertEquals(0.97, line.compared().median(), EXACT);
    assertEquals(0.5, line.compared().low(), EXACT);
    assertEquals(0.99, line.compared().high(), EXACT);
    assertTrue(line.isReached());
    assertEquals("yes, but not certain", line.verdict());
  }

  @Test
  public void difference_andAbsolute() throws IOException {
    add("miss/pread-4k-1", "stock", 1, Figure.CPU_MICROS_PER_READ, 100);
    add("miss/pread-4k-1", "admits nothing", 1, Figure.CPU_MICROS_PER_READ, 103);
    add("hdd/cold-hits", "stock", 1, Figure.HDD_READS, 1000);
    add("hdd/cold-hits", "local cache", 1, Figure.HDD_READS, 0);

    List<Comparison> lines = Comparison.all(results);

    assertEquals(3, lines.get(0).compared().median(), EXACT);
    assertFalse(lines.get(0).isReached());
    assertEquals(0, lines.get(1).compared().median(), EXACT);
    assertTrue(lines.get(1).isReached());
  }

  @Test
  public void roundWithoutStock_isLeftOut() throws IOException {
    add("hit/seq-1", "stock", 1, Figure.MB_PER_SECOND, 100);
    add("hit/seq-1", "in memory", 1, Figure.MB_PER_SECOND, 90);
    add("hit/seq-1", "in memory", 2, Figure.MB_PER_SECOND, 300);

    assertEquals(0.9, Comparison.all(results).get(0).compared().median(), EXACT);
  }

  private Comparison bypass(double stockAgain) throws IOException {
    for (int round = 1; round <= 3; round++) {
      add("bypass/pread-4k-1", "stock", round, Figure.P50_MICROS, 100);
      add("bypass/pread-4k-1", "stock again", round, Figure.P50_MICROS, 95 + stockAgain * round);
      add("bypass/pread-4k-1", "absent", round, Figure.P50_MICROS, 103);
    }
    List<Comparison> lines = Comparison.all(results);
    assertEquals("stock is not judged", 1, lines.size());
    return lines.get(0);
  }

  @Test
  public void bypass_noFartherOffThanStockFromItself_isInTheNoise() throws IOException {
    Comparison line = bypass(3);

    assertEquals(1.03, line.compared().median(), EXACT);
    assertEquals(1.01, line.floor().median(), EXACT);
    assertEquals(1.04, line.floor().high(), EXACT);
    assertTrue(line.isReached());
    assertEquals("yes, within the noise", line.verdict());
  }

  @Test
  public void bypass_fartherOffThanStockFromItself_isNotReached() throws IOException {
    Comparison line = bypass(2);

    assertEquals(1.01, line.floor().high(), EXACT);
    assertFalse(line.isReached());
    assertEquals("**no**", line.verdict());
  }

  @Test
  public void noise_excusesNoGoalOfHits() throws IOException {
    for (int round = 1; round <= 3; round++) {
      add("hit/pread-4k-1", "stock", round, Figure.P50_MICROS, 100);
      add("hit/pread-4k-1", "stock again", round, Figure.P50_MICROS, 80 + 20 * round);
      add("hit/pread-4k-1", "in memory", round, Figure.P50_MICROS, 103);
    }

    assertFalse(Comparison.all(results).get(0).isReached());
  }

  @Test
  public void nothingToCompareWith_isNotReached() throws IOException {
    add("hit/seq-1", "in memory", 1, Figure.MB_PER_SECOND, 100);

    assertFalse(Comparison.all(results).get(0).isReached());
  }

  @Test
  public void median_ofEvenNumber_isInTheMiddle() throws IOException {
    add("bypass/seq-1", "absent", 1, Figure.SECONDS, 1);
    add("bypass/seq-1", "absent", 2, Figure.SECONDS, 4);

    assertEquals(2.5, results.series("bypass/seq-1", "absent", Figure.SECONDS).median(), EXACT);
  }
}
