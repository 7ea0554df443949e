/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.Held;
import io.hdfslocalcache.faults.Outcome;
import io.hdfslocalcache.faults.Outcome.ReliabilityTable;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Scenario;
import io.hdfslocalcache.faults.ScenarioRun;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * Whatever the SSD does, clients get the right bytes, soon, and no replica is blamed. Plays some of
 * the scenarios; {@code -Dfault.scenarios=.*} all, or those that match.
 */
@RunWith(Parameterized.class)
public class TestScenarios {

  /** From here on, HDFS's clients time out. */
  private static final long LONGEST_READ_MILLIS = 60_000;

  /** On a busy machine, an SSD may be down once more while it is waited for. */
  private static final long HIT_PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long LEAK_PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final ReliabilityTable TABLE =
      new ReliabilityTable(Path.of(System.getProperty("faults.module"), "target/reliability.md"));

  /** In this time, some of the reads of eight readers are of files on the other SSD. */
  private static final long LONG_DOWN_MILLIS = 1000;

  private static FaultCluster cluster;
  private static Ssd.Kind kind;
  private static Held before;

  private final Scenario scenario;

  public TestScenarios(Scenario scenario) {
    this.scenario = scenario;
  }

  @Parameterized.Parameters(name = "{0}")
  public static List<Scenario> scenarios() {
    String only = System.getProperty("fault.scenarios", "");
    return only.isEmpty() ? Scenario.some() : Scenario.all().stream()
        .filter(scenario -> scenario.toString().matches(only)).toList();
  }

  @Rule
  public final Timeout timeout = Timeout.seconds(1200);

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    assumeTrue("no mkfs of " + scenario.kind(), Requirements.has(scenario.kind()));
    if (cluster == null || kind != scenario.kind()) {
      stop();
      kind = scenario.kind();
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
        assertTrue("held by the stopped DataNode", running.stop().isNothing());
      }
    }
  }

  @Test
  public void sickSsd_clientsSeeNothing() throws Exception {
    boolean ok = false;
    try {
      Outcome outcome = new ScenarioRun(cluster, scenario).play();
      TABLE.add(outcome);
      check(outcome);
      checkRecovered();
      ok = true;
    } finally {
      if (!ok) {
        // The next scenario shall not suffer from this one.
        stop();
      }
    }
  }

  private static void check(Outcome outcome) {
    if (outcome.failed() + outcome.wrong() > 0) {
      throw new AssertionError(outcome.toString(), outcome.failure());
    }
    assertEquals("replicas reported", 0, outcome.corruptReplicas());
    assertEquals("failed data volumes", 0, outcome.failedVolumes());
    // Where 200 readers share two cores with others, it may seem slow.
    assertTrue("state of the other SSD: " + outcome.other(), outcome.other().isEmpty()
        || outcome.other().contains(" takes ") || outcome.other().contains("does not answer"));
    // The other one may have been down, too, for the reason above.
    if (outcome.downMillis() >= LONG_DOWN_MILLIS && outcome.other().isEmpty()) {
      assertTrue("no hit on the other SSD in " + outcome.downMillis() + " ms",
          outcome.hitsWhileDown() > 0);
    }
    assertEquals("held up by the fault", "", outcome.heldUp());
    assertTrue("a read took " + outcome.longestMillis() + " ms",
        outcome.longestMillis() < LONGEST_READ_MILLIS);
  }

  private static void checkRecovered() throws Exception {
    cluster.cluster().settle();
    for (SsdDirectory ssd : List.of(cluster.sick(), cluster.well())) {
      LocalCacheCluster.await("normal state", () ->
          ssd.io().health().state() == SsdState.NORMAL);
    }
    String file = cluster.fileOnSick().path().toString();
    assertTrue("hits after recovery", isSoonHit(file));
    cluster.awaitNoUnfinishedFiles();
    cluster.awaitPagesAndFilesMatch();
    assertNothingLeaked();
  }

  /** What a hang has held ends a little later. */
  private static void assertNothingLeaked() throws Exception {
    Held now = Held.by(cluster);
    for (long end = System.nanoTime() + LEAK_PATIENCE_NANOS;
        !now.leaks(before).isEmpty() && System.nanoTime() < end;) {
      Thread.sleep(200);
      now = Held.by(cluster);
    }
    assertEquals(now + ", before: " + before, List.of(), now.leaks(before));
  }

  /** What a fill of before the recovery left out, one after it adds. */
  private static boolean isSoonHit(String file) throws Exception {
    boolean hit = false;
    for (long end = System.nanoTime() + HIT_PATIENCE_NANOS;
        !hit && System.nanoTime() < end;) {
      cluster.cluster().readUntilCached(file);
      long hits = cluster.cluster().reads(ReadOutcome.HIT);
      cluster.cluster().read(file);
      hit = cluster.cluster().reads(ReadOutcome.HIT) == hits + 1;
    }
    return hit;
  }
}
