/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Test;

/** The completion in bash. */
public final class TestCompletion {

  private static final Path ARCHIVE = Path.of(System.getProperty("distribution"));

  @Test
  public void completion_offersVerbsAndOptions() throws Exception {
    assertEquals("localcache", complete("hdfs local"));
    assertEquals("status", complete("hdfs localcache stat"));
    assertEquals("--summary", complete("hdfs localcache status --su"));
  }

  /** @return bash's completions of the last word of a line. */
  private static String complete(String line) throws Exception {
    // Bash knows compopt only while it completes a line.
    Run run = Run.of(Map.of(), List.of("bash", "-c", "compopt() { :; }; . '" + ARCHIVE + "/completion/hdfs'\n"
        + "COMP_LINE='" + line + "'\nCOMP_WORDS=($COMP_LINE)\n"
        + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_complete_hdfs\necho \"${COMPREPLY[@]}\""));
    assertEquals(run.out(), 0, run.exit());
    return run.out().strip();
  }
}
