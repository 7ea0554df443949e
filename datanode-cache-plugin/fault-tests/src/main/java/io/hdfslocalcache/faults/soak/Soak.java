/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.FaultStorm;
import io.hdfslocalcache.faults.Held;
import io.hdfslocalcache.faults.LeftBehind;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
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
  /** What a read of the SSD that is well may take, and a start of a thread, in milliseconds. */
  private static final long MOST_ON_WELL = 1500;
  private static final long MOST_START = 1000;

  @Option(names = "--minutes", paramLabel = "N", defaultValue = "10",
      description = "how long; half of it on each kind of SSD (${DEFAULT-VALUE})")
  private double minutes;

  @Option(names = "--seed", paramLabel = "S", description = "of the random numbers; else the time")
  private Long seed;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Soak()).execute(arguments));
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
    boolean ok = true;
    for (Ssd.Kind kind : Ssd.Kind.values()) {
      ok &= soak(kind, random);
    }
    OUT.println(ok ? "PASSED" : "FAILED; --seed " + random + " plays the same faults");
    return ok ? 0 : 1;
  }

  private boolean soak(Ssd.Kind kind, long random) throws IOException {
    OUT.println(kind);
    try (FaultCluster cluster = FaultCluster.start(kind.open())) {
      cluster.cluster().settle();
      Held before = Held.by(cluster);
      long millis = (long) (TimeUnit.MINUTES.toMillis(1) * minutes / Ssd.Kind.values().length);
      FaultStorm storm = new FaultStorm(cluster, kind, random, OUT);
      storm.rage(millis);
      if (kind == Ssd.Kind.EXT4 && storm.result().failure() == null) {
        storm.endWithDamagedFileSystem();
      }
      Held after = settled(cluster, storm, before);
      LeftBehind left = cluster.stop();
      report(kind, storm.result());
      OUT.println("  before  " + before);
      OUT.println("  after   " + after);
      OUT.println("  stopped " + left);
      List<String> faults = new ArrayList<>(faults(storm.result()));
      faults.addAll(leaks(before, after));
      if (!left.isNothing()) {
        faults.add("held by the stopped DataNode: " + left);
      }
      faults.forEach(fault -> OUT.println("  NOT WELL: " + fault));
      return faults.isEmpty();
    }
  }

  private static void report(Ssd.Kind kind, FaultStorm.Result result) {
    OUT.printf("%s: %d faults, %,d reads (%,d MB), %d failed, %d wrong, longest %,d ms, "
        + "on the SSD that is well %,d ms; longest start of a thread %,d ms%n", kind,
        result.faults(), result.reads(), result.bytes() >> 20, result.failed(), result.wrong(),
        result.longestMillis(), result.longestOnWellMillis(), result.longestStartMillis());
    if (result.failure() != null) {
      result.failure().printStackTrace(OUT);
    }
  }

  private static List<String> faults(FaultStorm.Result result) {
    List<String> faults = new ArrayList<>();
    if (result.failure() != null) {
      faults.add(result.failure().toString());
    }
    if (!result.recovered()) {
      faults.add("the SSD was not in its normal state a minute after its last fault");
    }
    if (result.longestOnWellMillis() > MOST_ON_WELL) {
      faults.add("a read of the SSD that is well took " + result.longestOnWellMillis() + " ms");
    }
    if (result.longestStartMillis() > MOST_START) {
      faults.add("the start of a thread took " + result.longestStartMillis() + " ms");
    }
    result.leftBehind().stream().filter(left -> !left.isNothing())
        .forEach(left -> faults.add("held by the DataNode, stopped for a new SSD: " + left));
    return faults;
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
      sleep();
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

  private static void sleep() throws IOException {
    try {
      Thread.sleep(SETTLE_MILLIS);
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }
}
