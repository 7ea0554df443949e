/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.junit.Test;

public class TestRun {

  @Test
  public void of_printsToBothStreams_hasExitCodeAndAll() throws Exception {
    Run run = Run.of(Map.of("WORD", "two"), List.of("sh", "-c",
        "echo one $JAVA_HOME; echo $WORD >&2; exit 3"));

    assertEquals(new Run(3, "one\ntwo\n"), run);
  }

  @Test
  public void output_programFails_saysWhatItPrintedFirst() throws Exception {
    IOException e = assertThrows(IOException.class,
        () -> Run.output("sh", "-c", "echo wrong; echo more; false"));

    assertEquals("sh -c echo wrong; echo more; false: wrong", e.getMessage());
    assertEquals("right", Run.output("echo", "right"));
  }

  @Test
  public void tryTo_noSuchProgram_isNotDone() {
    assertFalse(Run.tryTo("no-such-program"));
  }
}
