/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.faults.Background.CacheDropper;
import io.hdfslocalcache.faults.Background.Churn;
import io.hdfslocalcache.faults.Background.JvmWatch;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.Readers;

/** Plays a scenario on a cluster: load, fault, end of the fault, recovery. */
public final class ScenarioRun {

  private static final int WARM_UP_READS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long DROP_MILLIS = 200;
  private static final int READERS_OF_WELL = 2;
  private static final long ROUGH_SEED = 3;
  /** How long reads without a fault are measured. */
  private static final long CALM_MILLIS = 2000;

  private final FaultCluster cluster;
  private final Scenario scenario;

  /** @param cluster with an SSD of the scenario's kind, in its normal state */
  public ScenarioRun(FaultCluster cluster, Scenario scenario) {
    this.cluster = cluster;
    this.scenario = scenario;
  }

  /** Plays it. @throws IOException if the cluster or the fault itself fails, and not a read */
  public Outcome play() throws IOException {
    LocalCacheMetrics metrics = cluster.cluster().metrics(0);
    long damagedBefore = metrics.total(Event.DAMAGED_PAGES);
    Map<String, Long> errors = errors(metrics);
    LongSupplier hits = () -> metrics.reads(ReadOutcome.HIT);
    try (FirstReads first = new FirstReads(cluster);
        HealthTrace health = new HealthTrace(cluster.sick().io().health(), hits);
        HealthTrace other = new HealthTrace(cluster.well().io().health(), hits);
        CacheDropper dropper = new CacheDropper(cluster.ssd(), DROP_MILLIS);
        Readers readers = new Readers(
            cluster.cluster().fs(), cluster.files(), scenario.readers(), 1);
        Readers onWell = new Readers(cluster.cluster().fs(), cluster.filesOn(cluster.well()),
            READERS_OF_WELL, 2);
        JvmWatch jvm = new JvmWatch();
        Churn churn = new Churn(cluster.cluster());
        RoughClients rough = new RoughClients(cluster.cluster(), ROUGH_SEED)) {
      await(() -> readers.reads() >= WARM_UP_READS && churn.rounds() > 2, "reads");
      onWell.forgetLongest();
      jvm.takeLongestMillis();
      Wait.millis(CALM_MILLIS);
      Outcome.Stalls calm = new Outcome.Stalls(onWell.longestMillis(), jvm.takeLongestMillis());
      readers.forgetLongest();
      onWell.forgetLongest();
      long readsBefore = readers.reads();
      long begin = System.nanoTime();
      scenario.fault().begin(cluster);
      first.begin(scenario.millis());
      Wait.millis(scenario.millis());
      long readsDuring = readers.reads() - readsBefore;
      scenario.fault().end(cluster);
      long end = System.nanoTime();
      await(health::isNormal, "recovery from " + health.worst(begin));
      long bypass = health.millisUntil(begin, state -> state != SsdState.NORMAL);
      long recovered = bypass < 0 ? -1 : health.millisUntil(end, s -> s == SsdState.NORMAL);
      awaitOneMoreRead(readers);
      awaitOneMoreRead(onWell);
      List<Throwable> failures = Stream.of(churn.failure(), rough.failure(), first.failure())
          .filter(Objects::nonNull).toList();
      Throwable failure = Stream.concat(
          Stream.of(readers.firstFailure(), onWell.firstFailure()).filter(Objects::nonNull),
          failures.stream()).findFirst().orElse(null);
      return new Outcome(scenario, readsDuring,
          readers.failed() + onWell.failed() + failures.size(), readers.wrong() + onWell.wrong(),
          readers.longestMillis(),
          new Outcome.Stalls(onWell.longestMillis(), jvm.takeLongestMillis()), calm,
          cluster.corruptReplicas(),
          cluster.failedVolumes(), bypass, recovered, health.downMillis(),
          health.hitsWhileDown(), health.worst(begin), other.worst(begin), grown(errors, errors(metrics)),
          metrics.total(Event.DAMAGED_PAGES) - damagedBefore, failure);
    }
  }

  /** A read that began during the fault counts, too. */
  private void awaitOneMoreRead(Readers readers) throws IOException {
    long reads = readers.reads();
    await(() -> readers.reads() >= reads + readers.threads(), "reads after the fault");
  }

  private static void await(Wait.Condition condition, String what) throws IOException {
    if (!Wait.until(condition, PATIENCE, 5)) {
      throw new IOException("not within " + PATIENCE.toSeconds() + " s: " + what);
    }
  }

  /** @return the local cache's error counters, by name. */
  private static Map<String, Long> errors(LocalCacheMetrics metrics) {
    Map<String, Long> errors = new LinkedHashMap<>();
    for (Operation operation : Operation.values()) {
      for (ErrorCause cause : ErrorCause.values()) {
        errors.put(operation.metric() + cause.metric(), metrics.errors(operation, cause));
      }
    }
    return errors;
  }

  /** @return the counters that grew, with by how much. */
  private static String grown(Map<String, Long> before, Map<String, Long> after) {
    return after.entrySet().stream()
        .filter(counter -> counter.getValue() > before.get(counter.getKey()))
        .map(counter -> counter.getKey() + ' '
            + (counter.getValue() - before.get(counter.getKey())))
        .collect(Collectors.joining(", "));
  }
}
