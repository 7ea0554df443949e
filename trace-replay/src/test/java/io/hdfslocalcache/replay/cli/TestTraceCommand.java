/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The commands on traces, on the genuine excerpt. */
public class TestTraceCommand {

  private static final String EXCERPT =
      "src/test/resources/io/hdfslocalcache/replay/trace/clienttrace-3.5.0.txt";

  @Rule
  public TemporaryFolder folder = new TemporaryFolder();

  private Path path(String name) {
    return folder.getRoot().toPath().resolve(name);
  }

  private static void assertFailed(int exitCode, String message, CommandRun run) {
    assertEquals(run.err(), exitCode, run.exitCode());
    assertTrue(run.err(), run.err().contains(message));
    assertEquals(run.err(), 1, run.err().lines().count());
    assertEquals("", run.out());
  }

  private static JsonNode stat(Path trace) throws Exception {
    CommandRun run = CommandRun.of("trace", "stat", "--json", "--top", 5, trace);
    assertEquals(run.err(), 0, run.exitCode());
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  public void convert_excerptToCsv_statIsTheSame() throws Exception {
    Path csv = path("trace.csv.gz");
    assertEquals(0, CommandRun.of("trace", "convert", EXCERPT, csv).exitCode());
    assertEquals(stat(Path.of(EXCERPT)), stat(csv));
    assertEquals(24, stat(csv).get("writes").asInt());
  }

  @Test
  public void convert_badLines_succeedsAndTellsThem() throws Exception {
    Path csv = Files.writeString(path("t.csv"),
        "time_ms,block_id,offset,length\n1,2,3,4\n1,2,3,-4\n");
    CommandRun run = CommandRun.of("trace", "convert", csv, path("o.csv"));
    assertEquals(0, run.exitCode());
    assertTrue(run.err(), run.err().contains("1 bad lines left out"));
    assertTrue(run.err(), run.err().contains(csv + ":3: negative length -4"));
  }

  @Test
  public void convert_noSuchTrace_failsAndLeavesTheOldResult() throws Exception {
    Path out = Files.writeString(path("o.csv"), "old");
    assertFailed(1, "no such file", CommandRun.of("trace", "convert", path("none"), out));
    assertEquals("old", Files.readString(out));
  }

  @Test
  public void convert_noSuchDirectory_fails() {
    assertFailed(1, "no such directory",
        CommandRun.of("trace", "convert", EXCERPT, path("none/o.csv")));
  }

  @Test
  public void anyCommand_wrongUsage_exits2() {
    assertFailed(2, "no command", CommandRun.of());
    assertFailed(2, "no command", CommandRun.of("trace"));
    assertFailed(2, "unknown command: stat; see trace-replay --help",
        CommandRun.of("stat", EXCERPT));
    assertFailed(2, "unknown command: x; see trace-replay trace --help",
        CommandRun.of("trace", "x"));
    assertFailed(2, "too many arguments: x; see trace-replay generate --help",
        CommandRun.of("generate", "-o", path("o.csv"), "x"));
    assertFailed(2, "Unknown option", CommandRun.of("trace", "stat", "--wrong", EXCERPT));
    assertFailed(2, "--zone", CommandRun.of("trace", "stat", "--zone", "Mars", EXCERPT));
    assertFailed(2, "TRACE", CommandRun.of("trace", "stat"));
    assertFailed(2, "TRACE... OUT", CommandRun.of("trace", "convert", EXCERPT));
  }
}
