/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** From a generated trace to results, by command. */
public class TestSimulateCommand {

  @Rule
  public TemporaryFolder folder = new TemporaryFolder();

  private Path trace;

  @Before
  public void generate() {
    trace = folder.getRoot().toPath().resolve("trace.csv.gz");
    CommandRun run = CommandRun.of("generate", "--host", 4, "--scale", 0.005, "-o", trace);
    assertEquals(run.err(), 0, run.exitCode());
  }

  private static void assertWrongUsage(String message, CommandRun run) {
    assertEquals(run.err(), 2, run.exitCode());
    assertTrue(run.err(), run.err().contains(message));
    assertEquals(run.err(), 1, run.err().lines().count());
  }

  @Test
  public void simulate_manySettings_aResultForEachAndTheBounds() throws Exception {
    CommandRun run = CommandRun.of("simulate", "--json", "--capacity", "1g,4g", "--page-size",
        "512k,1m", "-x", "1,5", "-y", "10m,1h", "--limiter", "bucket-time,admit-all",
        trace);
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode results = new ObjectMapper().readTree(run.out());
    assertEquals(2 * 2 * (2 * 2 + 1) + 2 * 2 * 2, results.size());
    for (JsonNode result : results) {
      double offload = result.get("offload").asDouble();
      assertTrue(offload > 0 && offload < 1);
    }
  }

  @Test
  public void simulate_budgets_theLargerOneWritesMore() throws Exception {
    CommandRun run = CommandRun.of("simulate", "--json", "--no-bounds", "--capacity", "1g",
        "--limiter", "write-budget,second-touch", "--budget", "1g,8g", trace);
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode results = new ObjectMapper().readTree(run.out());
    assertEquals(3, results.size());
    assertTrue(run.out(), results.get(0).get("bytesWritten").asLong()
        < results.get(1).get("bytesWritten").asLong());
  }

  @Test
  public void simulate_overload_tellsWaitsWithAndWithoutAndTheRelief() throws Exception {
    CommandRun run = CommandRun.of("simulate", "--json", "--no-bounds", "--disks", 1, "--overload",
        "1.5", "--capacity", "100g", trace);
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode result = new ObjectMapper().readTree(run.out()).get(0);
    JsonNode with = result.get("load");
    JsonNode without = result.get("loadWithout");
    assertEquals(-1, without.get("reliefMinutes").asInt());
    assertTrue(run.out(), with.get("reliefMinutes").asInt() >= 0);
    assertTrue(with.get("meanWaitMillis").asDouble() < without.get("meanWaitMillis").asDouble());
  }

  @Test
  public void simulate_wrongOptions_exit2() {
    assertWrongUsage("--page-size", CommandRun.of("simulate", "--page-size", "5000", trace));
    assertWrongUsage("--capacity", CommandRun.of("simulate", "--capacity", "big", trace));
    assertWrongUsage("--budget", CommandRun.of("simulate", "--budget", "0", trace));
    assertWrongUsage("no page of", CommandRun.of("simulate", "--capacity", "1k", trace));
    assertWrongUsage("rate.limiter.threshold", CommandRun.of("simulate", "--limiter", "bucket-time",
        "-x", "-3", trace));
    assertWrongUsage("rate.limiter.window", CommandRun.of("simulate", "--limiter", "bucket-time",
        "-y", "90s", trace));
    assertWrongUsage("rate.limiter.class", CommandRun.of("simulate", "--limiter", "No", trace));
    assertWrongUsage("--threads", CommandRun.of("simulate", "--threads", "0", trace));
    assertWrongUsage("--disks", CommandRun.of("simulate", "--disks", "0", trace));
    assertWrongUsage("--overload", CommandRun.of("simulate", "--overload", "0", trace));
  }

  @Test
  public void simulate_emptyTrace_exits1() throws Exception {
    Path empty = Files.createFile(folder.getRoot().toPath().resolve("empty"));
    CommandRun run = CommandRun.of("simulate", empty);
    assertEquals(1, run.exitCode());
    assertTrue(run.err(), run.err().contains("empty"));
  }

  @Test
  public void recommend_trace_writesReportAndFragment() throws Exception {
    Path html = folder.getRoot().toPath().resolve("r.html");
    CommandRun run = CommandRun.of("recommend", "--trace", trace, "--ssd", "4g", "--endurance",
        "3dwpd", "--html", html);
    assertEquals(run.err(), 0, run.exitCode());
    assertTrue(Files.readString(html).endsWith("</html>\n"));
    assertTrue(run.out(), run.out().contains("<name>dfs.datanode.local.cache.write.budget</name>"));
  }

  /** Twenty minutes of reads on a day. */
  private static String day(long day) {
    StringBuilder csv = new StringBuilder();
    for (long second = 0; second < 1200; second++) {
      csv.append(86_400_000 * day + 1000 * second).append(',').append(second % 100)
          .append(",0,1000000\n");
    }
    return csv.toString();
  }

  private CommandRun recommend(String... files) throws Exception {
    List<Object> command = new ArrayList<>(List.of("recommend", "--ssd", "1g", "--endurance",
        "3dwpd", "--html", folder.getRoot().toPath().resolve("paused.html")));
    for (String rows : files) {
      command.add("--trace");
      command.add(Files.writeString(
          folder.newFile().toPath(), "time_ms,block_id,offset,length\n" + rows));
    }
    CommandRun run = CommandRun.of(command.toArray());
    assertEquals(run.err(), 0, run.exitCode());
    return run;
  }

  /** Tracing was stopped and started again: that begins another file. */
  @Test
  public void recommend_pauseOfADay_isNoTimeOfTheTrace() throws Exception {
    CommandRun run = recommend(day(0), day(1));
    assertTrue(run.err(), run.err().contains("Nothing was traced for 23.7 hours from 1970-01-01T"));
    assertTrue(run.out(), run.out().contains("A trace of 41 minutes is too short to say"));
  }

  @Test
  public void recommend_quietNightInOneFile_isTimeOfTheTrace() throws Exception {
    CommandRun run = recommend(day(0) + day(1));
    assertFalse(run.err(), run.err().contains("Nothing was traced"));
    assertFalse(run.out(), run.out().contains("too short to say"));
  }

  @Test
  public void recommend_wrongOptions_exit2() {
    assertWrongUsage("--price", CommandRun.of(
        "recommend", "--trace", trace, "--ssd", "4g", "--endurance", "3", "--price", -1));
    assertWrongUsage("--endurance", CommandRun.of(
        "recommend", "--trace", trace, "--ssd", "4g", "--endurance", "3tb"));
    assertWrongUsage("--ssd", CommandRun.of("recommend", "--trace", trace, "--endurance", "3"));
  }
}
