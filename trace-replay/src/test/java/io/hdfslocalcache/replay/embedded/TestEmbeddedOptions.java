/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.File;
import java.io.IOException;
import java.util.Map;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The options of the cluster that a benchmark starts; none is started here. */
public class TestEmbeddedOptions {

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  @Command
  private static final class Benchmark {
    @Mixin
    private EmbeddedOptions options;
  }

  private static EmbeddedOptions options(String... args) {
    Benchmark benchmark = new Benchmark();
    new CommandLine(benchmark).parseArgs(args);
    return benchmark.options;
  }

  private void assertWrong(String message, String... args) {
    assertEquals(message, assertThrows(message, IllegalArgumentException.class,
        () -> options(args).start(temporary.getRoot().toPath(), 1, 1, Map.of())).getMessage());
  }

  @Test
  public void description_hdd_saysHowFastItIs() {
    assertEquals("embedded", options("--embedded").description());
    assertEquals("embedded, HDD of 80 MB/s and 90 reads/s, 1 GB of memory",
        options("--hdd", "--hdd-mb-per-s", "80", "--hdd-iops", "90").description());
  }

  @Test
  public void start_outOfRange_isToldBeforeAnythingStarts() {
    assertWrong("--hdd-mb-per-s: must be at least 1", "--hdd", "--hdd-mb-per-s", "0");
    assertWrong("--hdd-iops: must be at least 1", "--hdd", "--hdd-iops", "-1");
  }

  @Test
  public void newDirectory_workIsAFile_saysSo() throws IOException {
    File file = temporary.newFile("work");
    IOException e = assertThrows(IOException.class,
        () -> options("--embedded", "--work", file.getPath()).newDirectory());
    assertEquals("--work: cannot make " + file + ": a file of that name is there",
        e.getMessage());
  }
}
