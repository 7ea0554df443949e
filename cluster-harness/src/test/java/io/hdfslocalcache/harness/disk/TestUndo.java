/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestUndo {

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  @Test
  public void close_runsCommandsInReverse_evenIfOneFails() throws IOException {
    Path file = directory.getRoot().toPath().resolve("undo");
    Path trace = directory.newFile().toPath();
    try (Undo undo = new Undo(file)) {
      undo.add("echo first >> " + trace);
      undo.add("false");
      undo.add("echo last >> " + trace);

      assertEquals("for the cleanup after a kill",
          List.of("echo first >> " + trace, "false", "echo last >> " + trace),
          Files.readAllLines(file));
    }

    assertEquals(List.of("last", "first"), Files.readAllLines(trace));
    assertFalse(Files.exists(file));
  }
}
