/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The benchmarks on the embedded cluster, and what they say to bad input. */
public class TestBenchmarkCommands {

  private static final String EXCERPT =
      "src/test/resources/io/hdfslocalcache/replay/trace/clienttrace-3.5.0.txt";
  private static final int READS = 204;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private Path out() {
    return temporary.getRoot().toPath().resolve("out");
  }

  private CommandRun run(String command, Object... more) {
    List<Object> args = new ArrayList<>(List.of(command, "-o", out()));
    args.addAll(List.of(more));
    return CommandRun.of(args.toArray());
  }

  private void assertFails(int exitCode, String message, CommandRun run) {
    assertEquals(run.err(), exitCode, run.exitCode());
    assertTrue(run.err(), run.err().contains(message));
    assertEquals(run.err(), 1, run.err().lines().count());
    String[] left = temporary.getRoot().list((directory, name) -> name.contains("out"));
    assertEquals("nothing half-written", 0, left.length);
  }

  @Test
  public void replay_compareOnEmbeddedCluster_writesAllReports() throws Exception {
    File work = temporary.newFolder("work");
    CommandRun run = run("replay", "--embedded", "--work", work, "--compare", "--rate", "100",
        "--embedded-block-size", "1m", "--threshold", "0", "--quiet", EXCERPT);
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode json = new ObjectMapper().readTree(out().resolve("report.json").toFile());
    JsonNode off = json.path("phases").path(0);
    JsonNode on = json.path("phases").path(1);
    for (JsonNode phase : List.of(off, on)) {
      assertEquals(READS, phase.path("reads").asInt() + phase.path("failed").asInt());
      assertEquals(0, phase.path("failed").asInt());
      assertEquals(0, phase.path("silent_datanodes").asInt());
    }
    assertEquals("off", off.path("local_cache").asText());
    assertEquals(0, off.path("offload_percent").asDouble(-1), 0);
    assertTrue("blocks of 4 MB on blocks of 1 MB",
        json.path("settings").path("offset wrapped, block too large").asInt() > 0);
    String page = Files.readString(out().resolve("report.html"));
    assertEquals("charts", 2, page.split("<svg", -1).length - 1);
    assertTrue(Files.readString(out().resolve("report.txt")).contains("readers waiting, mean"));
    assertTrue(Files.isDirectory(out().resolve("tallies/read-off")));
    assertEquals("the cluster's files", 0, work.list().length);
  }

  @Test
  public void scale_onEmbeddedCluster_hitsInLaterPasses() throws Exception {
    CommandRun run = run("scale", "--embedded", "--files", 2, "--size", "2m", "--readers", 3,
        "--passes", 4, "--threshold", "0", "--random");
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode json = new ObjectMapper().readTree(out().resolve("report.json").toFile());
    assertEquals(3 * 4 * 32, json.path("phases").path(0).path("reads").asInt());
    assertEquals(2, json.path("prepared").path("write").path("operations").asInt());
    assertFalse(json.has("ratios"));
  }

  @Test
  public void baseline_noSuchDataNode_namesThoseThereAre() {
    assertFails(1, "nowhere:9866: no live DataNode; there are ",
        run("baseline", "--embedded", "--datanode", "nowhere:9866", "--size", "1m"));
  }

  @Test
  public void run_outputExists_isAnError() throws Exception {
    Files.createDirectories(out());
    CommandRun run = run("baseline", "--embedded");
    assertEquals(1, run.exitCode());
    assertTrue(run.err(), run.err().contains("out: exists already"));
  }

  @Test
  public void run_clusterIsNotThere_isOneLine() {
    assertFails(1, "no HDFS at hdfs://127.0.0.1:1: ",
        run("baseline", "-fs", "hdfs://127.0.0.1:1", "-D", "ipc.client.connect.retry.interval=10"));
  }

  @Test
  public void run_noClusterConfigured_saysWhatToDo() {
    assertFails(1, "no cluster: fs.defaultFS is file:///", run("scale"));
  }

  @Test
  public void replay_badTraces_areErrors() throws Exception {
    assertFails(1, "no such file", run("replay", "--embedded", "missing.csv"));
    File empty = temporary.newFile("empty.csv");
    assertFails(1, "empty", run("replay", "--embedded", empty));
    Path noReader = temporary.newFile("no-reader.csv").toPath();
    Files.writeString(noReader, "time_ms,block_id,offset,length\n1,2,0,4\n");
    assertFails(1, "the trace has no column reader", run("replay", "--embedded", noReader));
    Path onlyWrites = temporary.newFile("writes.csv").toPath();
    Files.writeString(onlyWrites,
        "time_ms,op,block_id,offset,length,reader\n1,write,2,0,4,10.0.0.1\n");
    assertFails(1, "no reads in the trace", run("replay", "--embedded", onlyWrites));
  }

  @Test
  public void run_badOptions_areErrors() {
    assertFails(2, "--rate: must be more than 0", run("replay", "--rate", "0", EXCERPT));
    assertFails(2, "--passes: must be at least 1", run("baseline", "--passes", "0"));
    assertFails(2, "Missing required option",
        CommandRun.of("scale"));
    assertFails(2, "--size", run("scale", "--size", "much"));
  }
}
