/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

import io.hdfslocalcache.faults.Held.LeftBehind;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.harness.Wait;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * All faults at random under load, with every byte compared. Exit code 0 if clients saw nothing and
 * nothing leaked, 1 if not, 2 if the command line makes no sense or the machine lacks something.
 */
@Command(name = "soak", sortOptions = false, mixinStandardHelpOptions = true,
    version = "HDFS DataNode Local Cache",
    description = "All faults at random under load, with every byte compared. Needs root and FUSE.")
public final class Soak implements Callable<Integer> {

  private static final PrintStream OUT = System.out;
  /** Idle threads of the pools end after a minute. */
  private static final int SETTLE_ATTEMPTS = 180;
  private static final int SETTLE_MILLIS = 1000;
  private static final int SPARE_THREADS = 4;

  @Option(names = "--minutes", paramLabel = "N", defaultValue = "10",
      description = "how long; the same share of it on each kind of SSD (${DEFAULT-VALUE})")
  private double minutes;

  @Option(names = "--medium", paramLabel = "KIND", split = ",", description =
      "fuse: faults of a file system's calls; ext4, xfs: of the block device below; else fuse,ext4")
  private List<Ssd.Kind> kinds = Ssd.Kind.USUAL;

  @Option(names = "--seed", paramLabel = "S", description = "of the random numbers; else the time")
  private Long seed;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Soak()).setCaseInsensitiveEnumValuesAllowed(true)
        .execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (!(minutes > 0)) {
      System.err.println("soak: --minutes must be more than 0");
      return 2;
    }
    if (!Requirements.missing().isEmpty()) {
      System.err.println("soak: " + Requirements.missing());
      return 2;
    }
    long random = seed == null ? System.currentTimeMillis() : seed;
    OUT.println("Seed " + random);
    List<SoakReport> reports = new ArrayList<>();
    for (Ssd.Kind kind : kinds) {
      reports.add(soak(kind, random));
    }
    OUT.println();
    OUT.println(SoakReport.table(reports));
    reports.forEach(report -> report.violations().forEach(violation ->
        OUT.println("NOT WELL: " + report.kind() + ": " + violation)));
    boolean ok = reports.stream().allMatch(report -> report.violations().isEmpty());
    OUT.println((ok ? "PASSED" : "FAILED") + ", seed " + random);
    return ok ? 0 : 1;
  }

  private SoakReport soak(Ssd.Kind kind, long random) throws IOException {
    OUT.println(kind);
    try (FaultCluster cluster = FaultCluster.start(kind.open())) {
      cluster.cluster().settle();
      Held before = Held.by(cluster);
      long millis = (long) (TimeUnit.MINUTES.toMillis(1) * minutes / kinds.size());
      FaultStorm storm = new FaultStorm(cluster, kind, random, OUT);
      storm.rage(millis);
      if (kind == Ssd.Kind.EXT4 && storm.result().failure == null) {
        storm.endWithDamagedFileSystem();
      }
      Held after = settled(cluster, storm, before);
      LeftBehind left = cluster.stop();
      if (storm.result().failure != null) {
        storm.result().failure.printStackTrace(OUT);
      }
      OUT.println("  before  " + before);
      OUT.println("  after   " + after);
      OUT.println("  stopped " + left);
      return new SoakReport(kind, storm.result(), after.corrupt(), leaks(before, after), left);
    }
  }

  /**
   * Waits: the NameNode takes some seconds to have deleted what is deleted, idle threads end. The
   * kernel may find what a fault has left in the file system only now, with no fault any more; what
   * cannot be listed cannot be counted, so the SSD is replaced then, as it is under load.
   */
  private static Held settled(FaultCluster cluster, FaultStorm storm, Held before)
      throws IOException {
    for (int i = 0;; i++) {
      storm.replaceIfOutOfService();
      try {
        Held held = Held.by(cluster);
        if (i == SETTLE_ATTEMPTS || leaks(before, held).isEmpty()) {
          return held;
        }
      } catch (IOException e) {
        if (i == SETTLE_ATTEMPTS || cluster.ssd().isInService()) {
          throw e;
        }
      }
      Wait.millis(SETTLE_MILLIS);
    }
  }

  /** Idle threads of the pools, too, are gone in the end. */
  private static List<String> leaks(Held before, Held after) {
    List<String> leaks = after.leaks(before);
    if (after.threads() > before.threads() + SPARE_THREADS) {
      leaks.add("threads");
    }
    return leaks;
  }

  /**
   * What came of the soak on one kind of SSD.
   *
   * @param reported replicas reported to the NameNode
   * @param leaks what the DataNode held in the end that it did not hold before
   * @param left what the stopped DataNode held
   */
  record SoakReport(Ssd.Kind kind, FaultStorm.Result result, long reported, List<String> leaks,
      LeftBehind left) {

    /** @return what should not have been, in words; empty if the soak has passed. */
    List<String> violations() {
      List<String> all = new ArrayList<>();
      require(all, result.failure == null, String.valueOf(result.failure));
      require(all, result.failed == 0, "reads failed");
      require(all, result.wrong == 0, "reads with a wrong byte");
      require(all, reported == 0, "replicas were reported");
      require(all, result.recovered,
          "the SSD was not in its normal state a minute after its last fault");
      require(all, result.longestOnWellMillis <= Outcome.MOST.readMillis(),
          "a read of the SSD that is well took more than " + Outcome.MOST.readMillis() + " ms");
      require(all, result.longestStartMillis <= Outcome.MOST.threadMillis(),
          "the start of a thread took more than " + Outcome.MOST.threadMillis() + " ms");
      require(all, result.hits > 0 && result.misses > 0 && result.fills > 0
          && result.rough > 0, "there were not reads of all sorts");
      leaks.forEach(leak -> all.add("leak: " + leak));
      require(all, left.isNothing(), "held by the stopped DataNode: " + left);
      result.leftBehind.stream().filter(before -> !before.isNothing())
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
      rows.put("faults", report -> report.result.faults);
      rows.put("reads of files", report -> report.result.reads);
      rows.put("of these failed", report -> report.result.failed);
      rows.put("with a wrong byte", report -> report.result.wrong);
      rows.put("MB compared", report -> report.result.bytes >> 20);
      rows.put("the DataNode's hits", report -> report.result.hits);
      rows.put("misses of admitted blocks", report -> report.result.misses);
      rows.put("pages filled", report -> report.result.fills);
      rows.put("blocks read by rough clients", report -> report.result.rough);
      rows.put("replicas reported", report -> report.reported);
      rows.put("longest read, ms", report -> report.result.longestMillis);
      rows.put("on the SSD that is well, ms", report -> report.result.longestOnWellMillis);
      rows.put("longest start of a thread, ms", report -> report.result.longestStartMillis);
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
}
