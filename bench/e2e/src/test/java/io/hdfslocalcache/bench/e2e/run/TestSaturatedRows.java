/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import io.hdfslocalcache.bench.e2e.run.SaturatedRows.Counts;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;
import org.junit.Test;

public class TestSaturatedRows {

  private static final double CLOSE = 1e-9;
  private static final long PAGE = 1_100_000;

  /** In each step 1500 reads of the HDD, and so many pages that are filled. */
  private static List<Counts> counts(int steps, int pages) {
    List<Counts> counts = new ArrayList<>();
    for (int i = 0; i <= steps; i++) {
      long filled = 7 + (long) i * pages;
      counts.add(new Counts(new DiskStat(100 + 1500L * i, 150_000_000L * i, 0, 0),
          new DiskStat(0, 0, 3 * filled, PAGE * filled),
          new CacheCounters(0, 0, 0, filled, 0, filled, filled << 20, filled * PAGE, 0, true)));
    }
    return counts;
  }

  /** In second n there are n reads. */
  private static List<Long> reads(int seconds) {
    List<Long> reads = new ArrayList<>();
    for (long second = 0; second < seconds; second++) {
      reads.add(second);
    }
    return reads;
  }

  private static Map<String, Row> rows(SaturatedRows rows) {
    Row whole = Row.of("saturated/load", "local cache", 2).set(Figure.P99_MICROS, 17);
    return rows.rows(whole).stream().collect(
        Collectors.toMap(row -> row.path().replace("saturated/load/", ""), Function.identity()));
  }

  @Test
  public void readsOfTenSeconds_ofAll_andOfTheEnd() {
    Map<String, Row> rows = rows(new SaturatedRows(reads(100), counts(10, 30)));

    assertEquals(12, rows.size());
    assertEquals(45, rows.get("0-10s").get(Figure.READS), CLOSE);
    assertEquals(945, rows.get("90-100s").get(Figure.READS), CLOSE);
    assertEquals(94.5, rows.get("90-100s").get(Figure.OPS_PER_SECOND), CLOSE);
    assertEquals(4950, rows.get("all-100s").get(Figure.READS), CLOSE);
    assertEquals("from 60 to 99", 3180, rows.get("from-60s").get(Figure.READS), CLOSE);
    assertEquals(40, rows.get("from-60s").get(Figure.SECONDS), CLOSE);
    rows.values().forEach(row -> assertEquals(2, row.round()));
  }

  @Test
  public void whole_keepsItsFigures() {
    Row all = rows(new SaturatedRows(reads(20), counts(2, 0))).get("all-20s");

    assertEquals(17, all.get(Figure.P99_MICROS), CLOSE);
    assertEquals("local cache", all.variant());
  }

  @Test
  public void shortRun_hasNoEnd() {
    assertFalse(rows(new SaturatedRows(reads(60), counts(6, 1))).containsKey("from-60s"));
    assertTrue(rows(new SaturatedRows(reads(70), counts(7, 1))).containsKey("from-60s"));
  }

  @Test
  public void readsThatEndTooLate_areInNoFigure_secondsWithoutReadsAreShown() {
    SaturatedRows late = new SaturatedRows(reads(23), counts(2, 0));
    SaturatedRows stalled = new SaturatedRows(reads(15), counts(2, 0));

    assertEquals(190, rows(late).get("all-20s").get(Figure.READS), CLOSE);
    assertEquals(20, late.seconds().size());
    assertEquals(105, rows(stalled).get("all-20s").get(Figure.READS), CLOSE);
    assertEquals(20, stalled.seconds().size());
  }

  @Test
  public void disks_areCountedForEachPage() {
    Map<String, Row> rows = rows(new SaturatedRows(reads(20), counts(2, 30)));

    Row step = rows.get("10-20s");
    assertEquals(1500, step.get(Figure.HDD_READS), CLOSE);
    assertEquals(150e6, step.get(Figure.HDD_READ_BYTES), CLOSE);
    assertEquals(30, step.get(Figure.PAGES_FILLED), CLOSE);
    assertEquals(30 * PAGE, step.get(Figure.PAGE_BYTES_WRITTEN), CLOSE);
    assertEquals(30 * PAGE, step.get(Figure.SSD_WRITTEN_BYTES), CLOSE);
    assertEquals(50, step.get(Figure.HDD_READS_PER_PAGE), CLOSE);
    assertEquals(5e6, step.get(Figure.HDD_BYTES_PER_PAGE), CLOSE);
    assertEquals(1500 / 33.0, step.get(Figure.HDD_READS_PER_MB_WRITTEN), CLOSE);
    assertEquals(3000, rows.get("all-20s").get(Figure.HDD_READS), CLOSE);
    assertEquals(60, rows.get("all-20s").get(Figure.PAGES_FILLED), CLOSE);
  }

  @Test
  public void withoutFills_nothingIsSaidOfAPage() {
    Row row = rows(new SaturatedRows(reads(10), counts(1, 0))).get("0-10s");

    assertEquals(0, row.get(Figure.PAGES_FILLED), CLOSE);
    assertFalse(row.figures().containsKey(Figure.HDD_READS_PER_PAGE));
    assertFalse(row.figures().containsKey(Figure.HDD_READS_PER_MB_WRITTEN));
  }
}
