/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The traces of a cluster by command, without YARN. */
public class TestTracesCommand {

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
  public void recommend_directoryOfTraces_isOneTableOfAll() throws Exception {
    Path traces = ClusterTraces.make(path("traces"), 6);
    Path rotated = Files.createDirectory(traces.resolve("dn-rotated"));
    Files.move(traces.resolve("dn000.csv.gz"), rotated.resolve("1.csv.gz"));
    Files.writeString(traces.resolve("dn-damaged.csv"), "time_ms,block_id\n");
    Files.writeString(traces.resolve("_SUCCESS"), "");
    Path out = path("out");
    CommandRun run = recommend("--traces", traces, "-o", out);
    assertEquals(run.err(), 0, run.exitCode());
    String report = Files.readString(out.resolve("report.txt"));
    assertTrue(run.out(), run.out().contains(report));
    assertTrue(report, report.contains("not played: dn-damaged.csv: "));
    assertEquals("sizes and page sizes", 9,
        report.lines().filter(line -> line.startsWith("all ")).count());
    assertEquals("DataNodes", 7, report.lines().filter(line -> line.startsWith("dn")).count());
    JsonNode found = new ObjectMapper().readTree(out.resolve("report.json").toFile());
    assertEquals(7, found.get("dataNodes").size());
    assertEquals("dn-rotated", found.get("dataNodes").get(1).get("name").asText());
    assertTrue(Files.readString(out.resolve("hdfs-site.xml"))
        .contains("dfs.datanode.local.cache.capacity"));
    assertFalse(Files.exists(out.resolve("job")));
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
    assertWrongUsage("--traces: not with", "--traces", "x", "-o", "out", "--json");
  }
}
