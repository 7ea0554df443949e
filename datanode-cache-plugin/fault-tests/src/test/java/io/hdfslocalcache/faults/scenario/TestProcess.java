/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.faults.Readers;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.SmallTmpfs;
import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.DataNodeProcess;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** What happens to a DataNode's process as a whole. */
public class TestProcess {

  private static final int FILES = 16;
  private static final int LENGTH = 300_100;
  private static final int READERS = 4;
  private static final long STOP_MILLIS = 2000;
  /** The first files that a JVM opens are open to its end, so that no number below is free. */
  private static final int LEAST_FILES = 16;
  /** Pages that have come into memory meanwhile: it has room for about a hundred. */
  private static final int SPARE = 120;
  /** A second JVM on a machine that has other things to do. */
  private static final Duration START = Duration.ofMinutes(8);
  private static final int MOST_RECORDS = 100;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(1200);

  private final List<Readers.Expected> files = new ArrayList<>();
  private LocalCacheCluster cluster;
  private SmallTmpfs memory;
  private Daemon dataNode;

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    memory = SmallTmpfs.create(4 << 20);
    cluster = LocalCacheCluster.builder().dataNodes(0)
        .set(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0).start();
    Configuration conf = cluster.mini().getConfiguration(0);
    Path directory = folder.getRoot().toPath().toRealPath();
    conf.set(LocalCacheKeys.DIRECTORIES, directory.resolve("ssd").toString());
    conf.set(LocalCacheKeys.CAPACITY, "64m");
    conf.set(LocalCacheKeys.RESERVED, "0");
    conf.set(LocalCacheKeys.IO_DEADLINE, LocalCacheKeys.defaults().get(LocalCacheKeys.IO_DEADLINE));
    conf.set(TestingConfig.PROBE_INTERVAL, "200ms");
    conf.set(LocalCacheKeys.MEMORY_SIZE, "2m");
    conf.set(LocalCacheKeys.MEMORY_DIRECTORY, memory.directory().toString());
    dataNode = DataNodeProcess.start(directory, conf);
    LocalCacheCluster.await("a DataNode that takes a block", START, () -> {
      assertTrue("the DataNode has ended", dataNode.process().isAlive());
      try {
        return cluster.write("/first", 1).length == 1;
      } catch (IOException e) {
        return false;
      }
    });
    for (int i = 0; i < FILES; i++) {
      String name = "/file" + i;
      files.add(new Readers.Expected(
          new org.apache.hadoop.fs.Path(name), cluster.write(name, LENGTH)));
    }
    awaitHits();
  }

  @After
  public void stop() throws Exception {
    if (dataNode != null) {
      dataNode.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (memory != null) {
      memory.close();
    }
  }

  private void readAll() throws IOException {
    for (Readers.Expected file : files) {
      assertArrayEquals(file.bytes(), cluster.read(file.path().toString()));
    }
  }

  /** Reads until all files are served by the local cache. */
  private void awaitHits() {
    LocalCacheCluster.await("hits", () -> {
      try {
        long before = hits();
        readAll();
        return hits() >= before + FILES;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private long hits() throws IOException {
    return metrics().get("ReadsHit").asLong();
  }

  /** @return what the DataNode's metrics are, some seconds ago. */
  private JsonNode metrics() throws IOException {
    DatanodeInfo[] live = cluster.fs().getDataNodeStats(DatanodeReportType.LIVE);
    return new ObjectMapper().readTree(URI.create("http://127.0.0.1:" + live[0].getInfoPort()
        + "/jmx?qry=Hadoop:service=DataNode,name=DataNodeLocalCache-*").toURL()).at("/beans/0");
  }

  /** @return number of errors with the two labels. */
  private long errors(String operation, String cause) throws IOException {
    JsonNode metrics = metrics();
    for (int i = 1; i < MOST_RECORDS; i++) {
      if (operation.equals(metrics.path("tag.operation." + i).asText())
          && cause.equals(metrics.path("tag.cause." + i).asText())) {
        return metrics.get("Errors." + i).asLong();
      }
    }
    throw new IOException("no errors of " + operation + " with " + cause + ": " + metrics);
  }

  private String pid() {
    return String.valueOf(dataNode.process().pid());
  }

  /** @return open files of the local cache: in memory, and on its SSD. */
  private long openFiles() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", pid(), "fd"))) {
      return all.map(TestProcess::target)
          .filter(file -> file.contains("/hdfs-local-cache-") || file.contains("/ssd/")).count();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  public void stoppedForTwoSeconds_readersWaitNoLonger() throws Exception {
    long calm;
    try (Readers readers = new Readers(cluster.fs(), files, READERS, 1)) {
      LocalCacheCluster.await("reads", () -> readers.reads() > 100);
      readers.forgetLongest();
      long before = readers.reads();
      LocalCacheCluster.await("reads", () -> readers.reads() > before + 200);
      calm = readers.longestMillis();
      Run.output("kill", "-STOP", pid());
      Thread.sleep(STOP_MILLIS);
      Run.output("kill", "-CONT", pid());
      long reads = readers.reads();
      LocalCacheCluster.await("reads", () -> readers.reads() > reads + 200);
      System.out.println("longest read " + readers.longestMillis() + " ms, before " + calm + " ms");
      assertEquals(0, readers.failed() + readers.wrong());
      assertTrue("a read took " + readers.longestMillis() + " ms, and " + calm + " before",
          readers.longestMillis() < STOP_MILLIS + Math.max(1500, 3 * calm));
    }
    assertEquals("replicas reported", 0, cluster.mini().getNamesystem().getCorruptReplicaBlocks());
    awaitHits();
  }

  @Test
  public void noFileCanBeOpened_noWrongByteAndHitsAfterwards() throws Exception {
    String pid = pid();
    long before = openFiles();
    String limit = Run.output("prlimit", "--pid", pid, "--nofile", "--output", "SOFT",
        "--noheadings").trim();
    try (Readers readers = new Readers(cluster.fs(), files, READERS, 1)) {
      LocalCacheCluster.await("reads", () -> readers.reads() > 100);
      Run.output("prlimit", "--pid", pid, "--nofile=" + LEAST_FILES + ":");
      Thread.sleep(STOP_MILLIS);
      Run.output("prlimit", "--pid", pid, "--nofile=" + limit + ":");
      System.out.println(readers.failed() + " of " + readers.reads() + " reads failed");
      assertEquals("wrong", 0, readers.wrong());
    }
    assertTrue(dataNode.process().isAlive());
    // What JMX tells is some seconds old.
    LocalCacheCluster.await("pages that could not be opened", () -> {
      try {
        return errors("PageRead", "Process") > 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    awaitHits();
    assertEquals("replicas reported", 0, cluster.mini().getNamesystem().getCorruptReplicaBlocks());
    assertTrue(openFiles() + " open files, before " + before, openFiles() < before + SPARE);
  }
}
