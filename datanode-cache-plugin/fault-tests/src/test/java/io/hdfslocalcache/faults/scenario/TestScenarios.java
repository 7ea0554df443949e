/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.faults.Fault;
import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.Held;
import io.hdfslocalcache.faults.Load;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.Readers;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * Whatever the SSD does, clients get the right bytes, soon, and no replica is blamed. Plays the
 * quick faults one by one; {@code -Dfault.scenarios=.*} plays all, or those that match.
 */
@RunWith(Parameterized.class)
public class TestScenarios {

  /** From here on, HDFS's clients time out. */
  private static final long LONGEST_READ_MILLIS = 60_000;
  /** Limit on a busy machine, as a multiple of reads there without a fault. */
  private static final int BUSY = 3;
  /** How long reads are measured without a fault, and with the local cache off. */
  private static final long CALM_MILLIS = 2000;
  private static final Duration LEAK_PATIENCE = Duration.ofMinutes(10);
  /** In this time, some of the reads of eight readers are of files on the other SSD. */
  private static final long LONG_DOWN_MILLIS = 1000;

  private static final Path REPORT =
      Path.of(System.getProperty("faults.module"), "target/reliability.md");
  private static final Map<Ssd.Kind, Table> TABLES = new EnumMap<>(Ssd.Kind.class);

  private static FaultCluster cluster;
  private static Ssd.Kind kind;
  private static Held before;

  /**
   * How long reads waited in one phase.
   *
   * @param longestMillis the longest read of all, in milliseconds
   * @param ofOther the longest of the SSD without a fault
   */
  private record Waits(long longestMillis, Load.Stalls ofOther) {

    /** Ends a phase. */
    private static Waits take(Load load) {
      return new Waits(load.readers().longestMillis(), load.takeStalls());
    }
  }

  private final Fault fault;

  public TestScenarios(Fault fault) {
    this.fault = fault;
  }

  @Parameterized.Parameters(name = "{0}")
  public static List<Fault> faults() {
    String only = System.getProperty("fault.scenarios", "");
    return Fault.all().stream().filter(fault ->
        only.isEmpty() ? fault.isQuick() : fault.toString().matches(only)).toList();
  }

  @Rule
  public final Timeout timeout = Timeout.seconds(1200);

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    assumeTrue("no mkfs of " + fault.kind(), Requirements.has(fault.kind()));
    if (cluster == null || kind != fault.kind()) {
      stop();
      kind = fault.kind();
      cluster = FaultCluster.start(kind.open());
      cluster.cluster().settle();
      before = Held.by(cluster);
    }
  }

  @AfterClass
  public static void stop() throws Exception {
    FaultCluster running = cluster;
    cluster = null;
    if (running != null) {
      try (running) {
        assertEquals("held by the stopped DataNode", List.of(), running.stop());
      }
    }
  }

  @Test
  public void sickSsd_clientsSeeNothing() throws Exception {
    boolean ok = false;
    try {
      play();
      checkRecovered();
      ok = true;
    } finally {
      if (!ok) {
        // This fault must not affect the next one.
        stop();
      }
    }
  }

  private void play() throws IOException {
    try (Load load = new Load(cluster, fault.readers(), 1)) {
      Waits off = whileOff(load);
      Waits calm = measure(load);
      Load.Outcome outcome = load.strike(fault);
      long end = System.nanoTime();
      awaitNormal();
      long recovered = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - end);
      load.awaitReads();
      Waits sick = Waits.take(load);
      report(outcome, load.readers(), off, calm, sick, recovered);
      check(outcome, load.failure(), calm, sick);
    }
  }

  /** @return the waits while all are read as stock reads. */
  private static Waits whileOff(Load load) throws IOException {
    OnOff onOff = cluster.cluster().interceptor(0).onOff();
    onOff.setOn(false, "to compare");
    try {
      load.awaitReads();
      return measure(load);
    } finally {
      onOff.setOn(true, "to compare");
      load.awaitReads();
    }
  }

  /**
   * @return the waits without a fault. Reads that began in time are awaited: where a thousand
   *     readers share two cores, most reads take longer than the time
   */
  private static Waits measure(Load load) throws IOException {
    load.readers().forgetLongest();
    load.takeStalls();
    Wait.millis(CALM_MILLIS);
    load.awaitReads();
    return Waits.take(load);
  }

  private static void awaitNormal() throws IOException {
    for (SsdDirectory ssd : List.of(cluster.sick(), cluster.well())) {
      LocalCacheCluster.await("normal state",
          () -> ssd.io().health().state() == SsdState.NORMAL);
    }
  }

  private static void check(Load.Outcome outcome, Throwable failure, Waits calm, Waits sick)
      throws IOException {
    if (failure != null) {
      throw new AssertionError(outcome.toString(), failure);
    }
    assertEquals("replicas reported", 0, cluster.corruptReplicas());
    assertEquals("failed data volumes", 0, cluster.failedVolumes());
    // With 200 readers on two busy cores, it may seem slow.
    assertTrue("state of the other SSD: " + outcome.other(), outcome.other().isEmpty()
        || outcome.other().contains(" takes ") || outcome.other().contains("does not answer"));
    // The other one may have been down, too, for the reason above.
    if (outcome.downMillis() >= LONG_DOWN_MILLIS && outcome.other().isEmpty()) {
      assertTrue("no hit on the other SSD: " + outcome, outcome.hitsWhileDown() > 0);
    }
    Load.Stalls now = sick.ofOther;
    Load.Stalls then = calm.ofOther;
    assertTrue(now + ", before the fault " + then + "; " + outcome,
        now.readMillis() <= Math.max(Load.MOST_READ_MILLIS, BUSY * then.readMillis())
            && now.startMillis() <= Math.max(
                Load.MOST_START_MILLIS, BUSY * then.startMillis()));
    assertTrue("a read took " + sick.longestMillis + " ms",
        sick.longestMillis < LONGEST_READ_MILLIS);
  }

  private void report(Load.Outcome outcome, Readers readers, Waits off, Waits calm, Waits sick,
      long recovered) throws IOException {
    TABLES.computeIfAbsent(kind, unused -> new Table("fault", ">readers", ">reads", ">failed",
        ">wrong", ">longest read, ms (before; while off)",
        ">longest read of the other SSD, ms (before)", ">corrupt replicas", "state of the SSD, and the reason it gives",
        ">normal again after, ms", ">down, ms", ">hits on the other SSD meanwhile"))
        .row(fault.name(), fault.readers(), outcome.reads(), readers.failed(), readers.wrong(),
            sick.longestMillis + " (" + calm.longestMillis + "; " + off.longestMillis + ")",
            sick.ofOther.readMillis() + " (" + calm.ofOther.readMillis() + ")",
            // Names of temporary files say nothing, and differ from run to run.
            cluster.corruptReplicas(),
            outcome.sick().replaceAll("/\\S*/", "").replaceAll("\\s+", " "),
            outcome.sick().isEmpty() ? "" : recovered, outcome.downMillis(),
            outcome.hitsWhileDown());
    StringBuilder text = new StringBuilder();
    TABLES.forEach((each, table) ->
        text.append("## ").append(each.title()).append("\n\n").append(table.markdown())
            .append('\n'));
    Files.createDirectories(REPORT.getParent());
    Files.writeString(REPORT, text);
  }

  private static void checkRecovered() throws IOException {
    cluster.cluster().settle();
    awaitNormal();
    Readers.Expected file = cluster.fileOnSick();
    cluster.cluster().awaitHit(file.path().toString(), file.bytes());
    // What a hang held, and files that could not be deleted, are released a little later.
    Held[] held = new Held[1];
    Wait.until(() -> {
      held[0] = Held.by(cluster);
      return held[0].leaks(before).isEmpty();
    }, LEAK_PATIENCE, 200);
    assertEquals(held[0] + ", before: " + before, List.of(), held[0].leaks(before));
  }
}
