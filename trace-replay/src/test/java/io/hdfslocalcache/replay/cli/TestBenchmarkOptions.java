/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The messages of benchmarks and generator about options that make no sense, before they begin. */
public class TestBenchmarkOptions {

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private Path trace;

  @Before
  public void writeTrace() throws IOException {
    trace = temporary.newFile("trace.csv").toPath();
    Files.writeString(trace, "time_ms,block_id,offset,length,reader\n"
        + "0,1,0,100,10.0.0.1\n5000,1,0,100,10.0.0.1\n");
  }

  private void assertFails(int exitCode, String message, String command, Object... options) {
    List<Object> words =
        new ArrayList<>(List.of(command, "-o", temporary.getRoot() + "/out"));
    words.addAll(List.of(options));
    CommandRun run = CommandRun.of(words.toArray());
    assertEquals("trace-replay: " + message + System.lineSeparator(), run.err());
    assertEquals(exitCode, run.exitCode());
    assertEquals("nothing is left but the trace", 1, temporary.getRoot().list().length);
  }

  private void assertWrong(String message, String command, Object... options) {
    assertFails(2, message, command, options);
  }

  @Test
  public void replay_outOfRange() {
    assertWrong("--rate: must be more than 0", "replay", "--rate", "Infinity", trace);
    assertWrong("--rate: must be more than 0", "replay", "--rate", "NaN", trace);
    assertWrong("--mappers: must be at least 1", "replay", "--mappers", 0, trace);
    assertWrong("--start-delay: must be at least 0", "replay", "--start-delay", -5, trace);
  }

  @Test
  public void replay_notAPolicy() {
    assertWrong("not a policy such as RS-6-3-1024k: RS-6-3", "replay", "--striped", "RS-6-3",
        trace);
  }

  @Test
  public void generate_wrong() {
    assertWrong("Invalid value for option '--kind': expected one of [IRM, CHURN] (case-insensitive) "
        + "but was 'x'; see trace-replay generate --help", "generate", "--kind", "x");
    assertWrong("--host: must be from 1 to 5", "generate", "--host", 6);
    assertWrong("--host: must be from 1 to 5", "generate", "--host", 0);
    assertWrong("--scale: must be more than 0, at most 10", "generate", "--scale", "NaN");
    assertWrong("--scale: must be more than 0, at most 10", "generate", "--scale", 10.5);
    assertWrong("--scale: too small: 1.0E-6", "generate", "--scale", "0.000001");
  }
}
