/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Test;

/** The shell scripts of the archive, by shellcheck if this machine has it. */
public final class TestShellScripts {

  @Test
  public void scripts_shellcheck_findsNothing() throws Exception {
    String script = "cd '" + System.getProperty("distribution") + "' && shellcheck -x install.sh"
        + " bin/* && shellcheck -s bash shellprofile.d/*";
    assumeTrue("no shellcheck", Run.of(Map.of(), List.of("bash", "-c",
        "command -v shellcheck")).exit() == 0);
    Run run = Run.of(Map.of(), List.of("bash", "-c", script));
    assertEquals(run.out(), 0, run.exit());
  }
}
