/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The archive's {@code bin/trace-replay}, with the libraries of a Hadoop of each line. */
public final class TestInstalledTraceReplay {

  private static final String COMMAND = System.getProperty("distribution") + "/bin/trace-replay";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void traceReplay_onEachLine_simulatesWhatItGenerates() throws Exception {
    for (String version : HadoopLines.versions()) {
      Path home = folder.newFolder().toPath().resolve("hadoop");
      InstalledTree tree = new InstalledTree(home);
      tree.create(version);
      Run run = tree.run("cd " + home + " && " + COMMAND
          + " generate --scale 0.01 -o trace.csv && " + COMMAND
          + " simulate --capacity 1g trace.csv");
      assertEquals(run.out(), 0, run.exit());
      assertTrue(run.out(), run.out().contains("write-budget"));
      assertFalse(run.out(), run.out().contains("log4j:") || run.out().contains("WARN"));
    }
  }

  @Test
  public void traceReplay_withoutHadoop_saysWhatItNeeds() throws Exception {
    Run run = Run.of(Map.of("HADOOP_HOME", "/nowhere"), List.of(COMMAND, "help"));
    assertEquals(1, run.exit());
    assertEquals("trace-replay: HADOOP_HOME must be the directory of a Hadoop distribution\n",
        run.out());
  }
}
