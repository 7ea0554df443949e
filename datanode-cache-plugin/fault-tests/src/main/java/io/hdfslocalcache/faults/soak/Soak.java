/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.FaultStorm;
import io.hdfslocalcache.faults.Held;
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
  private static final int SETTLE_ATTEMPTS = 600;
  private static final int SPARE_THREADS = 4;

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
    try (FaultCluster cluster = FaultCluster.start(kind.open(), "200ms")) {
      cluster.cluster().settle();
      Held before = Held.by(cluster);
      long millis = (long) (TimeUnit.MINUTES.toMillis(1) * minutes / Ssd.Kind.values().length);
      FaultStorm.Result result = new FaultStorm(cluster, kind, random, OUT).rage(millis);
      Held after = settled(cluster);
      OUT.printf("%s: %d faults, %,d reads (%,d MB), %d failed, %d wrong, longest %,d ms%n", kind,
          result.faults(), result.reads(), result.bytes() >> 20, result.failed(), result.wrong(),
          result.longestMillis());
      OUT.println("  before " + before);
      OUT.println("  after  " + after);
      if (result.failure() != null) {
        result.failure().printStackTrace(OUT);
      }
      return result.failure() == null && result.recovered() && isClean(before, after);
    }
  }

  /** The NameNode takes some seconds to have deleted what is deleted. */
  private static Held settled(FaultCluster cluster) throws IOException {
    Held held = null;
    for (int i = 0; i < SETTLE_ATTEMPTS; i++) {
      held = Held.by(cluster);
      if (held.pages() == held.files() && held.unfinished() == 0) {
        break;
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
    }
    return held;
  }

  private static boolean isClean(Held before, Held after) {
    // Pools grow to their size; descriptors to the number of files that are kept open.
    return after.corrupt() == 0 && after.unfinished() == 0 && after.pages() == after.files()
        && after.threads() <= Math.max(before.threads() + SPARE_THREADS, FaultCluster.MAX_THREADS)
        && after.descriptors() <= FaultCluster.OPEN_FILES + SPARE_THREADS;
  }
}
