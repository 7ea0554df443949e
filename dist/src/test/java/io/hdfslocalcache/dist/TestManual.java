/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Test;

/** The man pages, and the completion in bash. */
public final class TestManual {

  private static final Path ARCHIVE = Path.of(System.getProperty("distribution"));

  @Test
  public void completion_offersVerbsAndOptions() throws Exception {
    assertEquals("localcache", complete("hdfs local"));
    assertEquals("status", complete("hdfs localcache stat"));
    assertEquals("--summary", complete("hdfs localcache status --su"));
  }

  @Test
  public void manPages_ofCommandAndVerbs_areThere() throws Exception {
    assertSays("hdfs-localcache", "\nhdfs localcache VERB\n");
    assertSays("hdfs-localcache", "\n  diagnose  Writes a zip file");
    assertSays("hdfs-localcache-status", "\nhdfs localcache status [\\-h]");
    assertSays("hdfs-localcache-status", "\n      \\-\\-summary ");
  }

  /** @return what bash makes of the last word of a line. */
  private static String complete(String line) throws Exception {
    // Bash knows compopt only while it completes a line.
    Run run = Run.of(Map.of(), List.of("bash", "-c", "compopt() { :; }; . '" + ARCHIVE + "/completion/hdfs'\n"
        + "COMP_LINE='" + line + "'\nCOMP_WORDS=($COMP_LINE)\n"
        + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_complete_hdfs\necho \"${COMPREPLY[@]}\""));
    assertEquals(run.out(), 0, run.exit());
    return run.out().strip();
  }

  private static void assertSays(String page, String text) throws Exception {
    String source = Files.readString(ARCHIVE.resolve("man/man1").resolve(page + ".1"));
    assertTrue(source, source.contains(text));
  }
}
