/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The traces of a cluster by command, without YARN. */
public class TestTracesCommand {

  private static final double NEAR = 1e-9;
  private static final String HEADER = "time_ms,block_id,offset,length\n";
  private static final String READS = HEADER + "0,1,0,4096\n1000,1,0,4096\n3600000,1,0,4096\n";

  @Rule
  public TemporaryFolder folder = new TemporaryFolder();

  private Path path(String name) {
    return folder.getRoot().toPath().resolve(name);
  }

  private static CommandRun recommend(Object... more) {
    Object[] words = {"recommend", "--ssd", "16g", "--endurance", "1dwpd"};
    Object[] all = java.util.Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return CommandRun.of(all);
  }

  private static void assertWrongUsage(String message, Object... more) {
    CommandRun run = recommend(more);
    assertEquals(run.err(), 2, run.exitCode());
    assertTrue(run.err(), run.err().contains(message));
  }

  @Test
  public void recommend_directoryOfTraces_isOneTable_andWhatCannotBeUsedIsTold() throws Exception {
    Path traces = Files.createDirectory(path("traces"));
    Files.writeString(traces.resolve("dn1.csv"), READS);
    Files.writeString(traces.resolve("dn2.csv"), "");
    Files.writeString(traces.resolve("dn3.csv"), HEADER + "0,1,0,0\n");
    Files.writeString(Files.createDirectory(traces.resolve("dn4")).resolve("1.csv"), READS);
    Files.writeString(traces.resolve("dn4/_SUCCESS"), "");
    Files.writeString(traces.resolve(".hidden.csv"), "no trace");
    Path out = path("out");
    CommandRun run = recommend("--traces", traces, "-o", out);
    assertEquals(run.err(), 0, run.exitCode());
    String report = Files.readString(out.resolve("report.txt"));
    assertTrue(run.out(), run.out().contains(report));
    assertTrue(report, report.contains("not simulated: dn2.csv: "));
    assertTrue(report, report.contains("not simulated: dn3.csv: no reads in the trace"));
    assertEquals("six sizes, and three other page sizes", 9,
        report.lines().filter(line -> line.startsWith("all ")).count());
    assertEquals(List.of("dn1.csv", "dn4"), report.lines().filter(line -> line.startsWith("dn"))
        .map(line -> line.split(" ")[0]).toList());
    assertTrue(Files.readString(out.resolve("hdfs-site.xml"))
        .contains("dfs.datanode.local.cache.capacity"));
    assertFalse(Files.exists(out.resolve("job")));
    JsonNode found = new ObjectMapper().readTree(out.resolve("report.json").toFile());
    JsonNode one = found.at("/dataNodes/0");
    assertEquals(1 << 20, one.path("pageSize").asInt());
    assertEquals(3, one.path("reads").asInt());
    assertEquals("the second read fills", 4096, one.path("bytesFromSsd").asDouble(), NEAR);
    assertEquals(1, one.path("hours").asDouble(), 0.01);
    assertTrue("an hour says nothing of a day", one.path("writes").isNull());
    for (JsonNode all : found.path("settings")) {
      if (all.path("capacity").equals(one.path("capacity"))
          && all.path("pageSize").equals(one.path("pageSize"))) {
        assertEquals("of both", 6, all.path("reads").asInt());
        assertEquals(2 * 4096, all.path("bytesFromSsd").asDouble(), NEAR);
        assertEquals(2 * one.path("hddSeconds").asDouble(), all.path("hddSeconds").asDouble(), NEAR);
        return;
      }
    }
    fail("the chosen setting is not in " + found);
  }

  @Test
  public void noTraceCanBeUsed_isAnError_thatNamesTheFirst() throws Exception {
    Files.writeString(Files.createDirectory(path("traces")).resolve("dn1.csv"),
        HEADER + "0,1,0,0\n");
    CommandRun run = recommend("--traces", path("traces"), "-o", path("out"));
    assertEquals(1, run.exitCode());
    assertTrue(run.err(), run.err().contains(
        "no trace can be used; the first: dn1.csv: no reads in the trace"));
  }

  @Test
  public void noTraces_isAnError_andLeavesNothing() throws Exception {
    Files.createDirectory(path("empty"));
    CommandRun run = recommend("--traces", path("empty"), "-o", path("out"));
    assertEquals(1, run.exitCode());
    assertTrue(run.err(), run.err().contains("no traces"));
    assertEquals(1, folder.getRoot().list().length);
  }

  @Test
  public void wrongOptions_exit2() {
    assertWrongUsage("either a trace or --traces");
    assertWrongUsage("either a trace or --traces", "--traces", "x", "--trace", "y");
    assertWrongUsage("--out", "--traces", "x");
    assertWrongUsage("--out", "-o", "out", "--trace", "x");
    assertWrongUsage("--traces: not with", "--traces", "x", "-o", "out", "--html", "r.html");
  }
}
