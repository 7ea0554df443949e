/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
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

/** The benchmarks on the embedded cluster, and their messages about bad input. */
public class TestBenchmarkCommands {

  private static final String EXCERPT =
      "src/test/resources/io/hdfslocalcache/replay/trace/clienttrace-3.5.0.txt";
  private static final String ADMIT_ALL =
      "dfs.datanode.local.cache.rate.limiter.threshold=0";
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
    File work = new File(temporary.getRoot(), "work/made");
    CommandRun run = run("replay", "--embedded", "--work", work, "--compare", "--rate", "100",
        "-D", "dfs.blocksize=1m", "-D", ADMIT_ALL, "--quiet", EXCERPT);
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode json = new ObjectMapper().readTree(out().resolve("report.json").toFile());
    JsonNode off = json.path("phases").path(0);
    JsonNode on = json.path("phases").path(1);
    for (JsonNode phase : List.of(off, on)) {
      assertEquals(READS, phase.path("reads").asInt() + phase.path("failed").asInt());
      assertEquals(0, phase.path("failed").asInt());
      assertEquals(0, phase.path("DataNodes without counters").asInt());
    }
    assertEquals("off", off.path("local cache").asText());
    assertEquals(0, off.path("offload %").asDouble(-1), 0);
    assertTrue("blocks of 4 MB on blocks of 1 MB",
        json.path("settings").path("offset wrapped, block too large").asInt() > 0);
    String page = Files.readString(out().resolve("report.html"));
    assertEquals("charts", 1, page.split("\"kind\":\"CHART\"", -1).length - 1);
    assertTrue(Files.readString(out().resolve("report.txt")).contains("readers waiting, mean"));
    assertEquals("the cluster's files", 0, work.list().length);
  }

  @Test
  public void replay_stripedWithOneDataNode_isAnError() {
    assertFails(1, "--embedded has one DataNode, but 3 are needed: use --hdd",
        run("replay", "--embedded", "--quiet", "--striped", "XOR-2-1-1024k", EXCERPT));
  }

  @Test
  public void run_outputExists_isAnError() throws Exception {
    Files.createDirectories(out());
    CommandRun run = run("replay", "--embedded", EXCERPT);
    assertEquals(1, run.exitCode());
    assertTrue(run.err(), run.err().contains("out: exists already"));
  }

  @Test
  public void run_clusterIsNotThere_isOneLine() {
    assertFails(1, "no HDFS at hdfs://127.0.0.1:1: ",
        run("replay", "-fs", "hdfs://127.0.0.1:1", "-D",
            "ipc.client.connect.retry.interval=10", "--quiet", EXCERPT));
  }

  @Test
  public void run_noClusterConfigured_saysWhatToDo() {
    assertFails(1, "no cluster: fs.defaultFS is file:///", run("replay", "--quiet", EXCERPT));
  }

  @Test
  public void replay_traceWithoutReadersOrReads_isAnError() throws Exception {
    Path noReader = temporary.newFile("no-reader.csv").toPath();
    Files.writeString(noReader, "time_ms,block_id,offset,length\n1,2,0,4\n");
    assertFails(1, "the trace has no column reader", run("replay", "--embedded", noReader));
    Path onlyWrites = temporary.newFile("writes.csv").toPath();
    Files.writeString(onlyWrites,
        "time_ms,op,block_id,offset,length,reader\n1,write,2,0,4,10.0.0.1\n");
    assertFails(1, "no reads in the trace", run("replay", "--embedded", onlyWrites));
  }
}
