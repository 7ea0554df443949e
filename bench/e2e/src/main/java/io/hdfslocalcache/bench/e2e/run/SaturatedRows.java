/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;

/** The figures of a long run: of all of it, of its end, and of each ten seconds. */
final class SaturatedRows {

  /** Seconds in a step. */
  static final int STEP = 10;
  /** From when on the local cache is expected to have relieved the HDD. */
  static final int RELIEVED = 60;

  private final List<Long> reads;
  private final List<Counts> counts;

  /**
   * Takes over what was measured.
   *
   * @param reads that ended in each second
   * @param counts at the beginning and after each step
   */
  SaturatedRows(List<Long> reads, List<Counts> counts) {
    this.reads = reads;
    this.counts = counts;
  }

  private int steps() {
    return counts.size() - 1;
  }

  /** @return reads of each second, without those that ended too late, and with all seconds. */
  List<Long> seconds() {
    List<Long> seconds = new ArrayList<>();
    for (int second = 0; second < steps() * STEP; second++) {
      seconds.add(second < reads.size() ? reads.get(second) : 0);
    }
    return seconds;
  }

  /** @param whole the figures of the whole run, named as the path; gets more of them */
  List<Row> rows(Row whole) {
    List<Row> rows = new ArrayList<>();
    Row all = new Row(whole.path() + "/all-" + steps() * STEP + "s", whole.variant(),
        whole.round(), whole.figures());
    rows.add(span(all, 0, steps()));
    int relieved = RELIEVED / STEP;
    if (steps() > relieved) {
      rows.add(span(row(whole, "from-" + RELIEVED + "s"), relieved, steps()));
    }
    for (int step = 0; step < steps(); step++) {
      String name = step * STEP + "-" + (step + 1) * STEP + "s";
      rows.add(span(row(whole, name), step, step + 1));
    }
    return rows;
  }

  private static Row row(Row whole, String name) {
    return Row.of(whole.path() + "/" + name, whole.variant(), whole.round());
  }

  private Row span(Row row, int from, int to) {
    long sum = seconds().subList(from * STEP, to * STEP).stream().mapToLong(n -> n).sum();
    int length = (to - from) * STEP;
    row.set(Figure.READS, sum).set(Figure.SECONDS, length)
        .set(Figure.OPS_PER_SECOND, (double) sum / length);
    return counts.get(to).addTo(row, counts.get(from));
  }
}
