/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * All faults at random under load, one or two at a time, and then a while of peace; with every byte
 * compared. An operator clears blocks all the time, so that reads miss. Should the kernel take the
 * SSD's file system out of service for good, load goes on for a while; then the SSD is replaced, as an
 * operator would do it. Exit code 0 if clients saw nothing and nothing leaked, 1 if not, 2 if the
 * command line makes no sense or the machine lacks something.
 */
@Command(name = "soak", sortOptions = false, mixinStandardHelpOptions = true,
    version = "HDFS DataNode Local Cache",
    description = "All faults at random under load, with every byte compared. Needs root and FUSE.")
public final class Soak implements Callable<Integer> {

  private static final PrintStream OUT = System.out;
  private static final int READERS = 16;
  private static final int MAX_FAULT_MILLIS = 6000;
  private static final int MAX_PEACE_MILLIS = 4000;
  private static final long OUT_OF_SERVICE_MILLIS = 10_000;
  private static final int SPARE_THREADS = 4;
  private static final Duration RECOVERY = Duration.ofMinutes(1);
  /** The NameNode takes some seconds to have deleted what is deleted; idle threads end. */
  private static final Duration SETTLE = Duration.ofMinutes(3);

  @Option(names = "--minutes", paramLabel = "N", defaultValue = "10",
      description = "how long; the same share of it on each kind of SSD (${DEFAULT-VALUE})")
  private double minutes;
  @Option(names = "--medium", paramLabel = "KIND", split = ",", description =
      "fuse: faults of a file system's calls; ext4, xfs: of the block device below; else fuse,ext4")
  private List<Ssd.Kind> kinds = Ssd.Kind.USUAL;
  @Option(names = "--seed", paramLabel = "S", description = "of the random numbers; else the time")
  private Long seed;

  private SplittableRandom random;

  /** What came of the soak on one kind of SSD, so far. */
  private static final class Result {
    private final List<String> violations = new ArrayList<>();
    private int faults;
    private long reads;
    private long megabytes;
    private long hits;
    private long misses;
    private long fills;
    private long rough;
    private long longestMillis;
    private Load.Stalls stalls = new Load.Stalls(0, 0);
  }

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
    long used = seed == null ? System.currentTimeMillis() : seed;
    random = new SplittableRandom(used);
    OUT.println("Seed " + used);
    Table table = new Table("", ">faults", ">reads", ">MB compared", ">the DataNode's hits",
        ">misses of admitted blocks", ">pages filled", ">blocks read by rough clients",
        ">longest read, ms", ">on the SSD that is well, ms", ">start of a thread, ms");
    boolean ok = true;
    for (Ssd.Kind kind : kinds) {
      OUT.println(kind);
      Result result = new Result();
      soak(kind, result);
      table.row(kind, result.faults, result.reads, result.megabytes, result.hits, result.misses,
          result.fills, result.rough, result.longestMillis, result.stalls.readMillis(),
          result.stalls.startMillis());
      result.violations.forEach(violation -> OUT.println("NOT WELL: " + kind + ": " + violation));
      ok &= result.violations.isEmpty();
    }
    OUT.println();
    OUT.println(table);
    OUT.println((ok ? "PASSED" : "FAILED") + ", seed " + used);
    return ok ? 0 : 1;
  }

  private void soak(Ssd.Kind kind, Result result) throws IOException {
    try (FaultCluster cluster = FaultCluster.start(kind.open())) {
      cluster.cluster().settle();
      Held before = Held.by(cluster);
      long end = System.nanoTime()
          + (long) (TimeUnit.MINUTES.toNanos(1) * minutes / kinds.size());
      while (System.nanoTime() < end && result.violations.isEmpty()) {
        rage(cluster, kind, end, result);
        replaceIfOutOfService(cluster, result);
        Held.require(result.violations, Wait.until(() ->
            cluster.sick().io().health().state() == SsdState.NORMAL, RECOVERY, 20),
            "the SSD was not in its normal state a minute after its last fault");
      }
      Held after = settled(cluster, before, result);
      OUT.println("  before  " + before);
      OUT.println("  after   " + after);
      leaks(before, after).forEach(leak -> result.violations.add("leak: " + leak));
      List<String> left = cluster.stop();
      Held.require(result.violations, left.isEmpty(), "held by the stopped DataNode: " + left);
      Held.require(result.violations, result.stalls.readMillis() <= Load.MOST_READ_MILLIS,
          "a read of the SSD that is well took too long: " + result.stalls);
      Held.require(result.violations, result.stalls.startMillis() <= Load.MOST_START_MILLIS,
          "the start of a thread took too long: " + result.stalls);
      Held.require(result.violations, result.hits > 0 && result.misses > 0 && result.fills > 0
          && result.rough > 0, "there were not reads of all sorts");
    }
  }

  /** Faults strike until it is time, something is wrong, or the SSD is out of service. */
  private void rage(FaultCluster cluster, Ssd.Kind kind, long end, Result result)
      throws IOException {
    List<Fault> faults = Fault.all().stream().filter(fault -> fault.kind() == kind).toList();
    count(cluster, -1, result);
    Load load = new Load(cluster, READERS, random.nextLong(), true);
    try (load) {
      while (System.nanoTime() < end && load.failure() == null && cluster.ssd().isInService()) {
        strike(load, faults, result);
        Wait.millis(random.nextInt(MAX_PEACE_MILLIS));
      }
      Wait.millis(cluster.ssd().isInService() ? 0 : OUT_OF_SERVICE_MILLIS);
    }
    count(cluster, 1, result);
    result.reads += load.readers().reads();
    result.megabytes += load.readers().bytesRead() >> 20;
    result.rough += load.rough();
    result.stalls = result.stalls.worst(load.takeStalls());
    if (load.failure() != null) {
      load.failure().printStackTrace(OUT);
      result.violations.add(load.failure().toString());
    }
  }

  private void strike(Load load, List<Fault> all, Result result) throws IOException {
    List<Fault> struck = new ArrayList<>(List.of(all.get(random.nextInt(all.size()))));
    Fault second = all.get(random.nextInt(all.size()));
    if (random.nextInt(3) == 0 && !(struck.get(0).needsSsd() && second.needsSsd())) {
      struck.add(second);
    }
    long millis = 200 + random.nextInt(MAX_FAULT_MILLIS);
    Load.Outcome outcome = load.strike(struck, millis);
    result.faults += struck.size();
    result.longestMillis = Math.max(result.longestMillis, outcome.longestMillis());
    result.stalls = result.stalls.worst(outcome.stalls());
    OUT.printf("%6d ms  %-45s %,6d reads, %s, %s%n", millis,
        struck.stream().map(Fault::name).collect(Collectors.joining(" + ")), outcome.reads(),
        outcome.stalls(), outcome.sick());
  }

  /** Counts what the DataNode has counted; it forgets that when it is restarted. */
  private static void count(FaultCluster cluster, int sign, Result result) {
    LocalCacheMetrics metrics = cluster.cluster().metrics(0);
    result.hits += sign
        * (metrics.reads(ReadOutcome.HIT) + metrics.reads(ReadOutcome.PARTIAL_HIT));
    result.misses += sign * metrics.reads(ReadOutcome.MISS_ADMITTED);
    result.fills += sign * metrics.total(Event.FILLS);
  }

  /**
   * Looks whether the kernel has taken the SSD's file system out of service, and if so does what an
   * operator would: stops the DataNode, puts an empty SSD in place, and starts it. Nobody may read.
   */
  private static void replaceIfOutOfService(FaultCluster cluster, Result result)
      throws IOException {
    if (!cluster.ssd().isInService()) {
      List<String> left = cluster.replaceSsd();
      OUT.println("           DataNode stopped, SSD replaced");
      Held.require(result.violations, left.isEmpty(),
          "held by the DataNode, stopped for a new SSD: " + left);
    }
  }

  /**
   * The kernel may find what a fault has left in the file system only now, with no fault any more;
   * what cannot be listed cannot be counted, so the SSD is replaced then, as it is under load.
   */
  private static Held settled(FaultCluster cluster, Held before, Result result)
      throws IOException {
    Held[] held = new Held[1];
    Wait.until(() -> {
      replaceIfOutOfService(cluster, result);
      held[0] = Held.by(cluster);
      return leaks(before, held[0]).isEmpty();
    }, SETTLE, 1000);
    return held[0];
  }

  /** Idle threads of the pools, too, are gone in the end. */
  private static List<String> leaks(Held before, Held after) {
    List<String> leaks = after.leaks(before);
    Held.require(leaks, after.threads() <= before.threads() + SPARE_THREADS, "threads");
    return leaks;
  }
}
