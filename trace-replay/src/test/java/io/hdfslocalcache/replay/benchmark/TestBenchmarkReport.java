/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.operator.ClusterCounters.Counted;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is said of two phases, and in which form. */
public class TestBenchmarkReport {

  private static final long SECOND = 1_000_000;
  private static final int MB = 1 << 20;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  /** Two reads of 1 MB, of which the first is the warm-up and begins a second before the other. */
  private static Phase phase(String name, int seconds, Counted counted) {
    Tally warmUp = new Tally();
    warmUp.add(0, seconds * SECOND, MB);
    Tally main = new Tally();
    main.add(SECOND, (1 + seconds) * SECOND, MB);
    return new Phase(name, main, warmUp, counted, 1000);
  }

  /** Three quarters of the bytes are from SSDs, and one DataNode tells nothing. */
  private static Counted counted() {
    return new Counted(PhaseMaker.counted(300, 100).counters(), 1);
  }

  private String write(String file, Phase... phases) throws IOException {
    Results results = new Results(
        new Path(new Path(temporary.getRoot().toURI()), "out"), new Configuration());
    results.begin();
    new BenchmarkReport("replay", Map.of("rate", 2), List.of(phases)).write(results);
    results.complete();
    return Files.readString(temporary.getRoot().toPath().resolve("out").resolve(file));
  }

  @Test
  public void json_twoPhases_figuresAreWithoutTheWarmUp_andCompared() throws IOException {
    JsonNode json = new ObjectMapper().readTree(
        write("report.json", phase("off", 4, counted()), phase("on", 1, counted())));
    JsonNode on = json.path("phases").path(1);
    assertEquals(1, on.path("reads").asInt());
    assertEquals(75, on.path("offload_percent").asDouble(), 1e-9);
    assertEquals(25, on.path("reuse_percent").asDouble(), 1e-9);
    assertEquals(1, on.path("silent_datanodes").asInt());
    assertEquals(4, json.path("ratios").path("throughput_mb_per_s").asDouble(), 1e-9);
    assertEquals("the durations of a histogram have three digits",
        75, json.path("waited_less_percent").asDouble(), 0.1);
    assertEquals(0.25, json.path("waited_ratio_with_warm_up").asDouble(), 1e-9);
    assertEquals(2, json.path("settings").path("rate").asInt());
  }

  @Test
  public void json_onePhaseAndDataNodesThatDoNotTell_whatIsUnknownIsNull() throws IOException {
    JsonNode json = new ObjectMapper().readTree(
        write("report.json", phase("as it is", 1, new Counted(Optional.empty(), 1))));
    assertTrue(json.path("phases").path(0).path("offload_percent").isNull());
    assertFalse(json.has("ratios"));
    assertFalse(json.has("waited_less_percent"));
  }

  @Test
  public void html_hasAChartAndTheTextBelow() throws IOException {
    String html = write("report.html", phase("off", 4, counted()), phase("on", 1, counted()));
    assertEquals(1, html.split("\"kind\":\"CHART\"", -1).length - 1);
    assertTrue(html, html.contains("readers waited 75.0 % less, 75.0 % of the bytes came"));
  }

  @Test
  public void steps_secondsTogether_areRatesAndMeans() {
    Tally tally = new Tally();
    tally.add(0, 3 * SECOND / 2, 2 * MB);
    tally.add(0, 4 * SECOND - 1000, MB);
    Phase phase = new Phase("on", tally, new Tally(), PhaseMaker.UNKNOWN, 0);
    List<Phase.Step> steps = Phase.Step.of(phase, 2);
    assertEquals(2, steps.size());
    assertEquals(1, steps.get(0).megabytes(), 1e-9);
    assertEquals(1.75, steps.get(0).waiting(), 1e-9);
    assertEquals(0.5, steps.get(1).reads(), 1e-9);
  }
}
