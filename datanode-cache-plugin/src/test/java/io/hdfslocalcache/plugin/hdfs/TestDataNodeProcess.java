/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.DataNodeProcess;
import io.hdfslocalcache.testing.LocalCacheCluster;
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
 * A real DataNode that is ended by a signal while it fills and evicts, at a random moment, and
 * started again on what it left. Prints its seed.
 */
public class TestDataNodeProcess {

  private static final long SEED = Long.getLong("signal.seed", System.nanoTime());
  private static final int FILES = 16;
  private static final int LENGTH = 300_100;
  private static final int READERS = 3;
  /** A second JVM on a machine that has other things to do. */
  private static final Duration START = Duration.ofMinutes(8);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(1400);

  private final Random random = new Random(SEED);
  private final List<byte[]> files = new ArrayList<>();
  private LocalCacheCluster cluster;
  private Configuration conf;
  private Path ssd;
  private Daemon dataNode;

  @Before
  public void start() throws Exception {
    System.out.println("-Dsignal.seed=" + SEED);
    cluster = LocalCacheCluster.builder().dataNodes(0)
        .set(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0).start();
    ssd = folder.getRoot().toPath().toRealPath().resolve("ssd");
    conf = cluster.mini().getConfiguration(0);
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    conf.set(LocalCacheKeys.DIRECTORIES, ssd.toString());
    // A third of what is read: there is always something to fill, and to evict.
    conf.set(LocalCacheKeys.CAPACITY, "1600k");
    conf.set(LocalCacheKeys.RESERVED, "0");
    startDataNode();
    // It is known to the NameNode a little before it can be written to.
    LocalCacheCluster.await("a DataNode that takes a block", START, () -> {
      try {
        return cluster.write("/first", 1).length == 1;
      } catch (IOException e) {
        return false;
      }
    });
    for (int i = 0; i < FILES; i++) {
      files.add(cluster.write("/file" + i, LENGTH));
    }
  }

  @After
  public void stop() throws Exception {
    if (dataNode != null) {
      dataNode.close();
    }
    cluster.close();
  }

  private void startDataNode() throws Exception {
    DatanodeInfo[] before = liveDataNodes();
    dataNode = DataNodeProcess.start(folder.getRoot().toPath().toRealPath(), conf);
    LocalCacheCluster.await("a DataNode", START, () -> {
      assertTrue("the DataNode has ended", dataNode.process().isAlive());
      DatanodeInfo[] now = liveDataNodes();
      return now.length == 1
          && (before.length == 0 || now[0].getXferPort() != before[0].getXferPort());
    });
    LocalCacheCluster.await("its blocks", START, this::canBeRead);
  }

  private DatanodeInfo[] liveDataNodes() {
    try {
      return cluster.fs().getDataNodeStats(DatanodeReportType.LIVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean canBeRead() {
    try {
      for (int i = 0; i < files.size(); i++) {
        cluster.read("/file" + i);
      }
      return true;
    } catch (IOException e) {
      return false;
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
  private void readUntilEnded(boolean kill) throws Exception {
    AtomicBoolean ending = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      Random own = new Random(random.nextLong());
      readers.add(new Thread(() -> readOn(own, ending, failure)));
    }
    readers.forEach(Thread::start);
    LocalCacheCluster.await("pages", () -> pageFiles() > 20);
    // The moment is to be anywhere.
    Thread.sleep(random.nextInt(1000));
    ending.set(true);
    Process process = dataNode.process();
    if (kill) {
      process.destroyForcibly();
    } else {
      process.destroy();
    }
    assertTrue("it ends by the signal", process.waitFor(2, TimeUnit.MINUTES));
    dataNode.close();
    for (Thread reader : readers) {
      reader.join();
    }
    if (failure.get() != null) {
      throw new AssertionError("a read", failure.get());
    }
  }

  private void readOn(Random own, AtomicBoolean ending, AtomicReference<Throwable> failure) {
    while (!ending.get() && failure.get() == null) {
      int file = own.nextInt(FILES);
      try {
        assertArrayEquals(files.get(file), cluster.read("/file" + file));
      } catch (IOException e) {
        if (!ending.get()) {
          failure.compareAndSet(null, e);
        }
      } catch (AssertionError e) {
        failure.compareAndSet(null, e);
      }
    }
  }

  private void restartAndCompare() throws Exception {
    startDataNode();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < FILES; i++) {
        assertArrayEquals(files.get(i), cluster.read("/file" + i));
      }
    }
    assertTrue("no replica was reported", cluster.mini().getNamesystem()
        .getCorruptReplicaBlocks() == 0);
  }

  private boolean logged(String words) throws IOException {
    return Files.readString(folder.getRoot().toPath().resolve("log")).contains(words);
  }

  @Test
  public void sigtermInTheMiddleOfFills_orderIsKeptAndPagesComeBack() throws Exception {
    readUntilEnded(false);
    try (Stream<Path> all = Files.walk(ssd)) {
      assertTrue("order of eviction", all.anyMatch(path -> path.endsWith("order")));
    }
    long left = pageFiles();
    assertTrue("pages outlive it", left > 0);
    restartAndCompare();
    LocalCacheCluster.await("restored pages in the log", () -> {
      try {
        return logged("Local cache: restored");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    readUntilEnded(false);
  }

  @Test
  public void sigkillInTheMiddleOfFills_rightBytesAfterwards() throws Exception {
    readUntilEnded(true);
    restartAndCompare();
    readUntilEnded(true);
    restartAndCompare();
  }
}
