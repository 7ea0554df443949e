/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.hdfslocalcache.faults.FaultStorm;
import io.hdfslocalcache.faults.LeftBehind;
import io.hdfslocalcache.faults.Ssd;

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
  static String table(List<SoakReport> reports) {
    return row("", reports, SoakReport::kind)
        + row("", reports, report -> "--:").replace("|  |", "|---|")
        + row("faults", reports, report -> report.result.faults())
        + row("reads of files", reports, report -> report.result.reads())
        + row("of these failed", reports, report -> report.result.failed())
        + row("with a wrong byte", reports, report -> report.result.wrong())
        + row("MB compared", reports, report -> report.result.bytes() >> 20)
        + row("the DataNode's hits", reports, report -> report.result.hits())
        + row("misses of admitted blocks", reports, report -> report.result.misses())
        + row("pages filled", reports, report -> report.result.fills())
        + row("blocks read by rough clients", reports, report -> report.result.rough())
        + row("replicas reported", reports, report -> report.reported)
        + row("longest read, ms", reports, report -> report.result.longestMillis())
        + row("on the SSD that is well, ms", reports,
            report -> report.result.longestOnWellMillis())
        + row("longest start of a thread, ms", reports,
            report -> report.result.longestStartMillis())
        + row("leaks", reports, report -> report.leaks.size()
            + report.left.threads() + report.left.files().size());
  }

  private static String row(String name, List<SoakReport> reports,
      Function<SoakReport, Object> value) {
    return reports.stream().map(report -> cell(value.apply(report)))
        .collect(Collectors.joining(" | ", "| " + name + " | ", " |\n"));
  }

  private static String cell(Object value) {
    return value instanceof Number number
        ? String.format("%,d", number.longValue()) : String.valueOf(value);
  }
}
