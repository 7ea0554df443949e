/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.Test;

/** The bugs that {@code bin/planted-bugs} puts back still apply, and say why they are fixed. */
public class TestPlantedBugs {

  @Test
  public void eachBug_canBePutBack() throws IOException, InterruptedException {
    Path directory = Path.of("src/test/planted-bugs");
    assumeTrue("these are the tests of an older Hadoop line", Files.isDirectory(directory));
    List<Path> bugs;
    try (Stream<Path> all = Files.list(directory)) {
      bugs = all.map(Path::toAbsolutePath).sorted().toList();
    }
    assertEquals(20, bugs.size());
    for (Path bug : bugs) {
      Process check = new ProcessBuilder("git", "apply", "--check", bug.toString())
          .directory(Path.of("..").toFile()).redirectErrorStream(true).start();
      String said = new String(check.getInputStream().readAllBytes());
      assertEquals(bug.getFileName() + ": " + said, 0, check.waitFor());
      assertTrue(bug.getFileName() + ": why not any more?", Files.readAllLines(bug).stream()
          .takeWhile(line -> !line.isBlank())
          .anyMatch(line -> line.matches("Why not any more: *\\S.*")));
    }
  }
}
