/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.soak;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

import io.hdfslocalcache.faults.FaultStorm;
import io.hdfslocalcache.faults.LeftBehind;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.harness.Table;

/**
 * What came of the soak on one kind of SSD.
 *
 * @param reported replicas reported to the NameNode
 * @param leaks what the DataNode held in the end that it did not hold before
 * @param left what the stopped DataNode held
 */
record SoakReport(Ssd.Kind kind, FaultStorm.Result result, long reported, List<String> leaks,
    LeftBehind left) {

  /** What a read of the SSD that is well may take, and a start of a thread, in milliseconds. */
  private static final long MOST_ON_WELL = 1500;
  private static final long MOST_START = 1000;

  /** @return what should not have been, in words; empty if the soak has passed. */
  List<String> violations() {
    List<String> all = new ArrayList<>();
    require(all, result.failure() == null, String.valueOf(result.failure()));
    require(all, result.failed() == 0, "reads failed");
    require(all, result.wrong() == 0, "reads with a wrong byte");
    require(all, reported == 0, "replicas were reported");
    require(all, result.recovered(),
        "the SSD was not in its normal state a minute after its last fault");
    require(all, result.longestOnWellMillis() <= MOST_ON_WELL,
        "a read of the SSD that is well took more than " + MOST_ON_WELL + " ms");
    require(all, result.longestStartMillis() <= MOST_START,
        "the start of a thread took more than " + MOST_START + " ms");
    require(all, result.hits() > 0 && result.misses() > 0 && result.fills() > 0
        && result.rough() > 0, "there were not reads of all sorts");
    leaks.forEach(leak -> all.add("leak: " + leak));
    require(all, left.isNothing(), "held by the stopped DataNode: " + left);
    result.leftBehind().stream().filter(before -> !before.isNothing())
        .forEach(before -> all.add("held by the DataNode, stopped for a new SSD: " + before));
    return all;
  }

  private static void require(List<String> all, boolean holds, String otherwise) {
    if (!holds) {
      all.add(otherwise);
    }
  }

  /** @return a table with a column for each. */
  static Table table(List<SoakReport> reports) {
    List<String> columns = new ArrayList<>(List.of(""));
    reports.forEach(report -> columns.add(">" + report.kind));
    Table table = new Table(columns);
    Map<String, ToLongFunction<SoakReport>> rows = new LinkedHashMap<>();
    rows.put("faults", report -> report.result.faults());
    rows.put("reads of files", report -> report.result.reads());
    rows.put("of these failed", report -> report.result.failed());
    rows.put("with a wrong byte", report -> report.result.wrong());
    rows.put("MB compared", report -> report.result.bytes() >> 20);
    rows.put("the DataNode's hits", report -> report.result.hits());
    rows.put("misses of admitted blocks", report -> report.result.misses());
    rows.put("pages filled", report -> report.result.fills());
    rows.put("blocks read by rough clients", report -> report.result.rough());
    rows.put("replicas reported", report -> report.reported);
    rows.put("longest read, ms", report -> report.result.longestMillis());
    rows.put("on the SSD that is well, ms", report -> report.result.longestOnWellMillis());
    rows.put("longest start of a thread, ms", report -> report.result.longestStartMillis());
    rows.put("leaks", report -> report.leaks.size()
        + report.left.threads() + report.left.files().size());
    rows.forEach((name, value) -> {
      List<String> cells = new ArrayList<>(List.of(name));
      reports.forEach(report -> cells.add(String.format("%,d", value.applyAsLong(report))));
      table.row(cells);
    });
    return table;
  }
}
