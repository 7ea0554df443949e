/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.DataNodeProcess;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.Readers;
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

/**
 * Events at a random moment in a real DataNode's process that fills and evicts: a signal ends it,
 * and it is started again on its files; it is stopped for a while; it has no free file descriptor.
 * Prints its seed.
 */
public class TestDataNodeProcess {

  private static final long SEED = Long.getLong("signal.seed", System.nanoTime());
  private static final int FILES = 16;
  private static final int LENGTH = 300_100;
  private static final int READERS = 3;
  /** A third of the files: there is always something to fill, and to evict. */
  private static final String LITTLE = "1600k";
  private static final String MUCH = "64m";
  private static final long STOP_MILLIS = 2000;
  /** A JVM never closes the first files that it opens, so no lower number is free. */
  private static final int LEAST_FILES = 16;
  /** A second JVM on a machine that has other things to do. */
  private static final Duration START = Duration.ofMinutes(8);
  private static final int MOST_RECORDS = 100;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(1400);

  private final Random random = new Random(SEED);
  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private LocalCacheCluster cluster;
  private Configuration conf;
  private Path directory;
  private Path ssd;
  private Daemon dataNode;

  @Before
  public void startNameNode() throws Exception {
    System.out.println("-Dsignal.seed=" + SEED);
    cluster = LocalCacheCluster.builder().dataNodes(0)
        .set(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0).start();
    directory = folder.getRoot().toPath().toRealPath();
    ssd = directory.resolve("ssd");
    conf = cluster.mini().getConfiguration(0);
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    conf.set(LocalCacheKeys.DIRECTORIES, ssd.toString());
    conf.set(LocalCacheKeys.RESERVED, "0");
    conf.set(LocalCacheKeys.MEMORY_SIZE, "2m");
    conf.set(TestingConfig.PROBE_INTERVAL, "200ms");
  }

  @After
  public void stop() throws Exception {
    if (dataNode != null) {
      dataNode.close();
    }
    cluster.close();
  }

  private void startWithFiles(String capacity) throws Exception {
    conf.set(LocalCacheKeys.CAPACITY, capacity);
    startDataNode();
    // The NameNode knows it a little before it can be written to.
    LocalCacheCluster.await("a DataNode that takes a block", START, () -> {
      try {
        return cluster.write("/first", 1).length == 1;
      } catch (IOException e) {
        return false;
      }
    });
    for (int i = 0; i < FILES; i++) {
      files.put("/file" + i, cluster.write("/file" + i, LENGTH));
    }
  }

  private void startDataNode() throws Exception {
    DatanodeInfo[] before = liveDataNodes();
    dataNode = DataNodeProcess.start(directory, conf);
    LocalCacheCluster.await("a DataNode", START, () -> {
      assertTrue("the DataNode has ended", dataNode.process().isAlive());
      DatanodeInfo[] now = liveDataNodes();
      return now.length == 1
          && (before.length == 0 || now[0].getXferPort() != before[0].getXferPort());
    });
    LocalCacheCluster.await("its blocks", START, () -> {
      try {
        readAll();
        return true;
      } catch (IOException e) {
        return false;
      }
    });
  }

  private DatanodeInfo[] liveDataNodes() throws IOException {
    return cluster.fs().getDataNodeStats(DatanodeReportType.LIVE);
  }

  private void readAll() throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertArrayEquals(file.getValue(), cluster.read(file.getKey()));
    }
  }

  private long pageFiles() {
    try (Stream<Path> all = Files.walk(ssd)) {
      return all.filter(path -> path.toString().contains("/LOCAL/"))
          .filter(Files::isRegularFile).count();
    } catch (IOException | UncheckedIOException e) {
      return -1;
    }
  }

  /** Reads until pages are there, and on until the signal has ended the DataNode. */
  private void readUntilEnded() throws Exception {
    try (Readers readers = Readers.of(cluster, files, READERS)) {
      LocalCacheCluster.await("pages", () -> pageFiles() > 20);
      // The moment must be random.
      Thread.sleep(random.nextInt(1000));
      readers.assertNoneFailed();
      Process process = dataNode.process();
      process.destroy();
      assertTrue("it ends by the signal", process.waitFor(2, TimeUnit.MINUTES));
      dataNode.close();
      assertEquals(0, readers.wrong());
    }
  }

  private void restartAndCompare() throws Exception {
    startDataNode();
    readAll();
    assertNoneReported();
  }

  private void assertNoneReported() {
    assertEquals("replicas reported", 0,
        cluster.mini().getNamesystem().getCorruptReplicaBlocks());
  }

  @Test
  public void sigtermInTheMiddleOfFills_orderIsKeptAndPagesComeBack() throws Exception {
    startWithFiles(LITTLE);
    readUntilEnded();
    try (Stream<Path> all = Files.walk(ssd)) {
      assertTrue("order of eviction", all.anyMatch(path -> path.endsWith("order")));
    }
    assertTrue("pages outlive it", pageFiles() > 0);
    restartAndCompare();
    LocalCacheCluster.await("restored pages in the log", () ->
        Files.readString(directory.resolve("log")).contains("Local cache: restored"));
    readUntilEnded();
  }

  /** Reads until all files are served by the local cache. */
  private void awaitHits() {
    LocalCacheCluster.await("hits", () -> {
      long before = metrics().get("ReadsHit").asLong();
      readAll();
      return metrics().get("ReadsHit").asLong() >= before + FILES;
    });
  }

  /** @return the DataNode's metrics, some seconds old. */
  private JsonNode metrics() throws IOException {
    return new ObjectMapper().readTree(URI.create("http://127.0.0.1:"
        + liveDataNodes()[0].getInfoPort()
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

  @Test
  public void stoppedForTwoSeconds_noReadFailsAndTheSsdServes() throws Exception {
    conf.set(LocalCacheKeys.IO_DEADLINE,
        LocalCacheKeys.defaults().get(LocalCacheKeys.IO_DEADLINE));
    startWithFiles(MUCH);
    awaitHits();
    try (Readers readers = Readers.of(cluster, files, READERS)) {
      LocalCacheCluster.await("reads", () -> readers.reads() > 100);
      Run.output("kill", "-STOP", pid());
      Thread.sleep(STOP_MILLIS);
      Run.output("kill", "-CONT", pid());
      long reads = readers.reads();
      LocalCacheCluster.await("reads", () -> readers.reads() > reads + 200);
      readers.assertNoneFailed();
    }
    awaitHits();
    assertNoneReported();
  }

  @Test
  public void noFileCanBeOpened_noWrongByteAndHitsAfterwards() throws Exception {
    assumeTrue("no prlimit", Run.tryTo("prlimit", "--version"));
    startWithFiles(MUCH);
    awaitHits();
    String limit = Run.output("prlimit", "--pid", pid(), "--nofile", "--output", "SOFT",
        "--noheadings").trim();
    try (Readers readers = Readers.of(cluster, files, READERS)) {
      LocalCacheCluster.await("reads", () -> readers.reads() > 100);
      Run.output("prlimit", "--pid", pid(), "--nofile=" + LEAST_FILES + ":");
      Thread.sleep(STOP_MILLIS);
      Run.output("prlimit", "--pid", pid(), "--nofile=" + limit + ":");
      System.out.println(readers.failed() + " of " + readers.reads() + " reads failed");
      assertEquals("wrong", 0, readers.wrong());
    }
    assertTrue(dataNode.process().isAlive());
    LocalCacheCluster.await("pages that could not be opened",
        () -> errors("PageRead", "Process") > 0);
    awaitHits();
    assertNoneReported();
  }
}
