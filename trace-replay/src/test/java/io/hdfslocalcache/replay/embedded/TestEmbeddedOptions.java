/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.io.File;
import java.io.IOException;
import java.util.Map;

import io.hdfslocalcache.replay.embedded.EmbeddedOptions.BenchmarkCluster;
import io.hdfslocalcache.replay.embedded.EmbeddedOptions.Running;
import org.apache.hadoop.conf.Configuration;
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

  private static void assertWrong(String message, String... args) {
    assertEquals(message, assertThrows(message, IllegalArgumentException.class,
        () -> options(args).start(1, 1, Map.of())).getMessage());
  }

  @Test
  public void description_ofTheDefaults() {
    assertEquals("embedded, local cache of 1 GB, block 16 MB",
        options("--embedded").description());
  }

  @Test
  public void description_hdd_saysHowFastItIs() {
    assertEquals("embedded, local cache of 2 GB, block 64 MB, "
        + "HDD of 80 MB/s and 90 reads/s, 1 GB of memory", options("--hdd", "--capacity", "2g",
        "--embedded-block-size", "64m", "--hdd-mb-per-s", "80", "--hdd-iops", "90").description());
  }

  @Test
  public void start_outOfRange_isToldBeforeAnythingStarts() {
    assertWrong("--hdd-mb-per-s: must be at least 1", "--hdd", "--hdd-mb-per-s", "0");
    assertWrong("--hdd-iops: must be at least 1", "--hdd", "--hdd-iops", "-1");
  }

  @Test
  public void start_moreDataNodesThanOne_needHdds() {
    IOException e =
        assertThrows(IOException.class, () -> options("--embedded").start(1, 5, Map.of()));
    assertEquals("with --embedded there is one DataNode, but 5 are needed: use --hdd",
        e.getMessage());
  }

  @Test
  public void start_workIsAFile_saysSo() throws IOException {
    File file = temporary.newFile("work");
    IOException e = assertThrows(IOException.class,
        () -> options("--embedded", "--work", file.getPath()).start(1, 1, Map.of()));
    assertEquals("--work: cannot make " + file + ": a file of that name is there",
        e.getMessage());
  }

  /** Counts what is asked of it, and cannot be stopped. */
  private static final class StubbornCluster implements BenchmarkCluster {
    private int phases;

    @Override
    public Configuration conf() {
      return new Configuration(false);
    }

    @Override
    public void beforePhase() {
      phases++;
    }

    @Override
    public void close() throws IOException {
      throw new IOException("still running");
    }
  }

  @Test
  public void close_clusterFails_itsFilesAreDeletedAllTheSame() throws Exception {
    WorkDirectory directory =
        WorkDirectory.createIn(temporary.getRoot().toPath(), "local-cache-benchmark-");
    StubbornCluster cluster = new StubbornCluster();
    Running running = new Running(cluster, directory, cluster.conf());
    running.beforePhase();
    assertEquals(1, cluster.phases);
    assertSame(directory, running.directory());
    IOException e = assertThrows(IOException.class, running::close);
    assertEquals("still running", e.getMessage());
    assertEquals(0, temporary.getRoot().list().length);
  }
}
