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
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The jars of MapReduce are missing where Hadoop's clients are all that is installed. */
public class TestWithoutMapReduce {

  private static final String CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(jar -> !jar.contains("mapreduce")).collect(Collectors.joining(File.pathSeparator));

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static Run run(String... words) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(
        List.of(java.toString(), "-cp", CLASS_PATH, TraceReplay.class.getName()));
    command.addAll(List.of(words));
    return Run.of(Map.of(), command);
  }

  private static String runs(String... words) throws Exception {
    Run run = run(words);
    assertEquals(run.out(), 0, run.exit());
    return run.out();
  }

  @Test
  public void help_ofEveryCommand_isShown() throws Exception {
    assertTrue(runs("--help").contains("Usage: trace-replay ["));
    for (String command : new String[] {"trace", "trace convert", "trace stat", "generate",
        "simulate", "recommend", "replay"}) {
      assertTrue(runs((command + " --help").split(" "))
          .startsWith("Usage: trace-replay " + command + " [-h]"));
    }
  }

  @Test
  public void commandsWithoutAJob_run() throws Exception {
    String trace = folder.getRoot() + "/trace.csv.gz";
    runs("generate", "--scale", "0.0005", "--seed", "7", "-o", trace);
    runs("trace", "convert", trace, folder.getRoot() + "/trace.csv");
    assertTrue(runs("trace", "stat", trace).contains("average block size"));
    assertTrue(runs("simulate", "--capacity", "1g", trace).contains("write-budget"));
    assertTrue(runs("recommend", "--trace", trace, "--ssd", "1g", "--endurance", "1dwpd",
        "--html", folder.getRoot() + "/report.html").contains("write.budget"));
  }
}
