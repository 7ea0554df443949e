/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.hdfslocalcache.harness.Run;
import org.junit.Test;

/** The jars of MapReduce are missing where Hadoop's clients are all that is installed. */
public class TestWithoutMapReduce {

  private static final String CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(jar -> !jar.contains("mapreduce")).collect(Collectors.joining(File.pathSeparator));

  private static Run run(String... words) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(
        List.of(java.toString(), "-cp", CLASS_PATH, TraceReplay.class.getName()));
    command.addAll(List.of(words));
    return Run.of(Map.of(), command);
  }

  @Test
  public void help_ofEveryCommand_isShown() throws Exception {
    for (String command : new String[] {"trace", "simulate", "recommend", "replay"}) {
      Run run = run(command, "--help");
      assertEquals(run.out(), 0, run.exit());
      assertTrue(run.out(), run.out().contains("Usage: trace-replay " + command));
    }
  }

  @Test
  public void stat_runs() throws Exception {
    Run run = run("trace", "stat",
        "src/test/resources/io/hdfslocalcache/replay/trace/clienttrace-3.5.0.txt");
    assertEquals(run.out(), 0, run.exit());
    assertTrue(run.out(), run.out().contains("average block size"));
  }
}
