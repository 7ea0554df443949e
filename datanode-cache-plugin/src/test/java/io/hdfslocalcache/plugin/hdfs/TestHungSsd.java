/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.hdfs.LocalCacheMXBean.SsdStatus;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** An SSD that does not answer: a page file that is a pipe, whose opening waits for a writer. */
public class TestHungSsd {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final int LENGTH = 40 * PAGE;
  private static final int READERS = 100;
  /** Where the files of pages are opened and read. */
  private static final String IN_FILES = "io.hdfslocalcache.plugin.ssd.file.PageFiles";

  private LogCapturer nameNodeLog;
  private LocalCacheCluster cluster;
  private byte[] bytes;
  private Path page;
  private Path setAside;

  @Before
  public void start() throws Exception {
    nameNodeLog = LogCapturer.captureLogs(NameNode.LOG);
    cluster = LocalCacheCluster.builder()
        .set(LocalCacheKeys.IO_DEADLINE, "5s")
        .set(TestingConfig.PROBE_INTERVAL, "100ms")
        .start();
    bytes = cluster.write("/file", LENGTH);
    cluster.readUntilCached("/file");
    page = cluster.pageFiles(cluster.block("/file")).stream()
        .filter(path -> path.endsWith("3")).findFirst().orElseThrow();
    setAside = page.resolveSibling("set-aside");
  }

  @After
  public void stop() throws Exception {
    letGo();
    nameNodeLog.stopCapturing();
    cluster.settle();
    assertEquals("blamed replicas", 0,
        cluster.mini().getNameNode().getNamesystem().getCorruptReplicaBlocks());
    cluster.close();
  }

  private void hang() throws Exception {
    Files.move(page, setAside);
    assertTrue(new ProcessBuilder("mkfifo", page.toString()).start()
        .waitFor(60, TimeUnit.SECONDS));
  }

  /** Whoever waits for the pipe gets its end, and the page is a file again. */
  private void letGo() throws IOException {
    if (Files.exists(setAside)) {
      // Opened for both, a pipe waits for nobody.
      Process writer = new ProcessBuilder("sh", "-c", "exec 3<>'" + page + "'; sleep 1").start();
      try (OutputStream unused = writer.getOutputStream()) {
        writer.waitFor(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      Files.move(setAside, page, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private SsdState state() {
    return cluster.cache(0).directories().all().get(0).io().health().state();
  }

  private SsdStatus shown() {
    return cluster.interceptor(0).monitoring().getDirectories().get(0);
  }

  @Test
  public void read_pageFileHangs_readersGetTheirBytesAndTheSsdIsLeftAlone() throws Exception {
    hang();
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    List<Future<byte[]>> reads = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      reads.add(readers.submit(() -> cluster.pread("/file", 0, LENGTH)));
    }
    for (Future<byte[]> read : reads) {
      assertArrayEquals(bytes, read.get(60, TimeUnit.SECONDS));
    }
    readers.shutdown();
    assertOnlyThreadsOfTheSsdHang();
    assertTrue(cluster.metrics(0).errors(Operation.PAGE_READ, ErrorCause.TIMEOUT) > 0);
    // Probes succeed all the time, for only one file hangs: the state may be any by now.
    LocalCacheCluster.await("error report at the NameNode",
        // Where the machine is busy, its other reads may have been found slow before.
        () -> nameNodeLog.getOutput().contains("is down: does not answer")
            || nameNodeLog.getOutput().contains("is down: a read takes"));
    assertEquals("no volume failed", 0, cluster.dataNode(0).getFSDataset().getNumFailedVolumes());
  }

  private static void assertOnlyThreadsOfTheSsdHang() {
    List<String> inFiles = Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> Stream.of(thread.getValue())
            .anyMatch(frame -> frame.getClassName().startsWith(IN_FILES)))
        .map(thread -> thread.getKey().getName()).toList();
    assertFalse("the SSD hangs", inFiles.isEmpty());
    assertTrue(inFiles.toString(),
        inFiles.stream().allMatch(name -> name.startsWith("local-cache-io-")));
  }

  @Test
  public void write_ssdFails_theNameNodeIsToldThatItIsDegraded() {
    for (int i = 0; i < 3; i++) {
      cluster.cache(0).directories().all().get(0).io().health()
          .failed(Operation.PAGE_WRITE, new IOException("Input/output error"));
    }
    LocalCacheCluster.await("error report at the NameNode", () -> nameNodeLog.getOutput().contains(
        "is degraded: cannot be written: Input/output error; no replica is affected"));
    assertEquals("no volume failed", 0, cluster.dataNode(0).getFSDataset().getNumFailedVolumes());
  }

  @Test
  public void read_ssdIsDown_bypassesUntilProbesSucceed() throws Exception {
    cluster.close();
    cluster = LocalCacheCluster.builder()
        .set(TestingConfig.PROBE_INTERVAL, "5s").start();
    bytes = cluster.write("/file", LENGTH);
    cluster.readUntilCached("/file");
    cluster.cache(0).directories().all().get(0).io().health()
        .hung(Operation.PAGE_READ, TimeUnit.SECONDS.toNanos(1));
    assertEquals("DOWN", shown().getState());
    assertEquals("does not answer: PageRead for 1000 ms", shown().getReason());
    long hits = cluster.reads(ReadOutcome.HIT);
    assertArrayEquals(bytes, cluster.read("/file"));
    cluster.awaitEndOfReads();
    assertEquals(1, cluster.reads(ReadOutcome.BYPASS_UNHEALTHY));
    assertEquals(hits, cluster.reads(ReadOutcome.HIT));
    LocalCacheCluster.await("three good probes", () -> state() == SsdState.NORMAL);
    assertEquals("", shown().getReason());
    assertArrayEquals(bytes, cluster.read("/file"));
    cluster.awaitEndOfReads();
    assertEquals(hits + 1, cluster.reads(ReadOutcome.HIT));
  }
}
