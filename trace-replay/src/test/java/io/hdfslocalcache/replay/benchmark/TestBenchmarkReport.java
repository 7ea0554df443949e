/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.benchmark.BenchmarkReport.Phase;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.ClusterCounters.Counted;
import io.hdfslocalcache.replay.operator.FakeDataNode;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The report of one phase and of two, in each format. */
public class TestBenchmarkReport {

  private static final Counted UNKNOWN = new Counted(Optional.empty(), 0);
  private static final int MB = 1 << 20;
  /** A histogram keeps three digits. */
  private static final double DIGITS = 0.001;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  /** @return what DataNodes counted; bytes from SSDs and replicas, a quarter of the reads hits. */
  private static Counted counted(long fromSsds, long fromReplicas) {
    long reads = fromSsds + fromReplicas > 0 ? 1 : 0;
    return new Counted(Optional.of(FakeDataNode.counters(Map.of("ReadsHit", reads,
        "ReadsMissAdmitted", 3 * reads, "BytesHit", fromSsds, "BytesMiss", fromReplicas))), 0);
  }

  private static void read(Tally tally, double begin, double end, int megabytes) {
    tally.add(Math.round(begin * 1e6), Math.round(end * 1e6), (long) megabytes * MB);
  }

  /** One read of 8 MB. */
  private static Phase phase(String name, double seconds, Counted counted) {
    Tally tally = new Tally();
    read(tally, 0, seconds, 8);
    return new Phase(name, tally, counted);
  }

  /** Every minute, a read of 1 MB that takes so many seconds. */
  private static Phase minutes(String name, int... seconds) {
    Tally tally = new Tally();
    for (int i = 0; i < seconds.length; i++) {
      read(tally, 60 * i, 60 * i + seconds[i], 1);
    }
    return new Phase(name, tally, UNKNOWN);
  }

  private static Phase failed(String name) {
    Tally tally = new Tally();
    tally.addFailed();
    return new Phase(name, tally, counted(1, 1));
  }

  private static String text(Phase... phases) {
    return new BenchmarkReport(Map.of("rate", 2), List.of(phases)).report().text();
  }

  /** @return the only line that begins like this, its words one space apart. */
  private static String line(String text, String beginning) {
    List<String> found = text.lines().filter(line -> line.startsWith(beginning)).toList();
    assertEquals(text, 1, found.size());
    return found.get(0).replaceAll(" +", " ");
  }

  @Test
  public void figures_areOfAllReads() {
    Tally tally = new Tally();
    for (int i = 1; i <= 4; i++) {
      read(tally, 0, i, i);
    }
    tally.addLate(120);
    tally.addLate(1500);
    tally.addFailed();
    Map<String, Double> figures = new Phase("on", tally, counted(3, 1)).figures();
    Map.of("reads", 4.0, "MB", 10.0, "seconds from first to last", 4.0, "MB/s", 2.5, "reads/s",
        1.0, "waited s, all readers", 10.0, "readers waiting, mean", 2.5, "latest ms", 1500.0,
        "offload %", 75.0, "reuse rate %", 25.0).forEach((name, expected) ->
        assertEquals(name, expected, figures.get(name), expected * DIGITS));
    assertEquals(2, figures.get("late"), 0);
    assertEquals("not among the reads", 1, figures.get("failed"), 0);
  }

  @Test
  public void percentiles_rareSlowReads_areSeenWhereTheyBelong() {
    Tally tally = new Tally();
    for (int i = 0; i < 998; i++) {
      read(tally, i, i + (i < 600 ? 0.001 : 0.002), 0);
    }
    read(tally, 998, 998.1, 0);
    read(tally, 999, 1001, 0);
    Map<String, Double> figures = new Phase("on", tally, UNKNOWN).figures();
    Map.of("p50 ms", 1.0, "p90 ms", 2.0, "p99 ms", 2.0, "p99.9 ms", 100.0, "max ms", 2000.0)
        .forEach((name, millis) ->
            assertEquals(name, millis, figures.get(name), millis * DIGITS));
  }

  @Test
  public void whatNobodyMeasured_isUnknown_notZero() {
    Map<String, Double> figures = failed("on").figures();
    for (String name : List.of("MB/s", "reads/s", "mean ms", "p99 ms", "max ms")) {
      assertNull(name, figures.get(name));
    }
    assertEquals(0, figures.get("reads"), 0);
    assertNull("nothing read", phase("on", 1, counted(0, 0)).figures().get("offload %"));
    assertNull("nobody told", phase("on", 1, UNKNOWN).figures().get("reuse rate %"));
  }

  @Test
  public void onePhase_isComparedWithNothing() {
    String text = text(phase("as it is", 2, UNKNOWN));
    assertEquals("MB/s 4", line(text, "MB/s"));
    assertFalse(text, text.contains("ratio") || text.contains("readers waited"));
  }

  @Test
  public void twoPhases_areSideBySideWithTheirRatio() {
    String text = text(phase("off", 4, counted(0, 1)), phase("on", 1, counted(1, 1)));
    assertEquals("MB/s 2 8 4", line(text, "MB/s"));
    assertEquals("nothing to compare with", "late 0 0 -", line(text, "late "));
    assertEquals("offload % 0 50 -", line(text, "offload %"));
    assertEquals("readers waited 4.0 s off, 1.0 s on, ratio 0.250; longer in none of 1 minute; "
        + "50 % of the bytes came from the local cache", line(text, "readers waited"));
  }

  @Test
  public void minutesThatWereLonger_areNamed_andWhatHasEndedWaitsNoMore() {
    assertTrue(line(text(minutes("off", 10, 20), minutes("on", 20, 9, 1, 1)), "readers waited")
        .contains("longer in minute 1, 3, 4 of 4 minutes; - % of the bytes"));
    assertTrue(line(text(minutes("off", 10, 20, 5), minutes("on", 10, 9)), "readers waited")
        .contains("longer in none of 3 minutes"));
  }

  @Test
  public void everyReadFailed_orNobodyWaited_isNoSaving() {
    assertTrue(line(text(phase("off", 4, UNKNOWN), failed("on")), "readers waited")
        .contains("ratio -;"));
    assertTrue(line(text(failed("off"), phase("on", 1, UNKNOWN)), "readers waited")
        .contains("ratio -;"));
  }

  @Test
  public void silentDataNodes_areCounted() {
    String text = text(phase("off", 1, new Counted(Optional.empty(), 1)),
        phase("on", 1, new Counted(Optional.empty(), 12)));
    assertEquals("off: 1 DataNode reported no counters of a local cache", line(text, "off: "));
    assertEquals("on: 12 DataNodes reported no counters of a local cache", line(text, "on: "));
  }

  @Test
  public void files_haveSettingsPhasesRatiosAndAChart() throws IOException {
    BenchmarkReport report = new BenchmarkReport(Map.of("rate", 2), List.of(
        phase("off", 4, UNKNOWN), phase("on", 1, counted(3, 1))));
    try (Results results = new Results(
        new Path(new Path(temporary.getRoot().toURI()), "out"), new Configuration())) {
      results.complete(report.report(), report.json());
    }
    java.nio.file.Path out = temporary.getRoot().toPath().resolve("out");
    JsonNode json = new ObjectMapper().readTree(out.resolve("report.json").toFile());
    assertEquals(2, json.path("settings").path("rate").asInt());
    assertTrue(json.path("phases").path(0).path("offload %").isNull());
    assertEquals(75, json.path("phases").path(1).path("offload %").asDouble(), 0);
    assertEquals("a read that ends with a second ends in the next", 5,
        json.path("phases").path(0).path("waited s, each second").size());
    assertEquals(4, json.path("ratios").path("MB/s").asDouble(), DIGITS);
    String html = Files.readString(out.resolve("report.html"));
    assertEquals(1, html.split("\"kind\":\"CHART\"", -1).length - 1);
    assertTrue(html, html.contains("readers waited 4.0 s off"));
    assertTrue(Files.readString(out.resolve("report.txt")).contains("readers waited 4.0 s off"));
  }
}
