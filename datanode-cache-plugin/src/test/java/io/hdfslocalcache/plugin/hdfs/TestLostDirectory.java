/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.admin.Condition;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedLines;
import io.hdfslocalcache.testing.Readers;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.fs.FileUtil;
import org.junit.Before;
import org.junit.Test;

/** An SSD whose directory is removed while clients read. */
public class TestLostDirectory extends ClusterFixture {

  private static final int PAGES = 36;
  /** The last files. Of those before, at least one is on the SSD. */
  private static final int KEPT = 4;
  /** One for each operation and each change of a state; and a test may take longer than 10 s. */
  private static final int MOST_LINES = 20;

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private SsdDirectory ssd;

  @Before
  public void start() throws Exception {
    cluster = LocalCacheCluster.builder().ssds(2)
        .set(TestingConfig.PROBE_INTERVAL, "100ms").start();
    ssd = cluster.cache(0).directories().all().get(0);
    // Occasionally, all of the first go to the other SSD.
    while (files.size() < KEPT || ssd.pages().count() == 0) {
      cacheAnother();
    }
    for (int i = 0; i < KEPT; i++) {
      cacheAnother();
    }
  }

  private void cacheAnother() throws Exception {
    String file = "/file" + files.size();
    files.put(file, cluster.write(file, PAGES / 4 * LocalCacheCluster.PAGE));
    cluster.readUntilCached(file);
  }

  private void readAll() throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertArrayEquals(file.getValue(), cluster.read(file.getKey()));
    }
  }

  private void removeDirectory() {
    // A fill may put something into it while it is being removed.
    LocalCacheCluster.await("removed", () -> FileUtil.fullyDelete(ssd.path().toFile()));
  }

  private void awaitState(SsdState state) {
    LocalCacheCluster.await(state.toString(), () -> ssd.io().health().state() == state);
  }

  private void assertSoonFull() throws Exception {
    awaitState(SsdState.NORMAL);
    // An SSD that was slow for a moment gets no pages for a second.
    LocalCacheCluster.await("hits of all files", () -> {
      long hits = cluster.reads(ReadOutcome.HIT);
      readAll();
      cluster.settle();
      return cluster.reads(ReadOutcome.HIT) == hits + files.size();
    });
    assertEquals(cluster.pageFiles("").size(), cluster.cache(0).index().pages());
  }

  @Test
  public void removed_readersGoOn_downUntilItIsBack() throws Exception {
    long capacity = ssd.capacityBytes();
    try (LoggedLines log = new LoggedLines();
        Readers readers = Readers.of(cluster, files, 4)) {
      removeDirectory();
      awaitState(SsdState.DOWN);
      // The deletion goes on, so the DataNode's own directory may be gone before the one around it.
      String reason = ssd.io().health().reason();
      assertTrue(reason, reason.startsWith("directory is missing: " + ssd.path()));
      assertEquals(capacity, ssd.capacityBytes());
      assertEquals("a full disk is another thing", 0, cluster.metrics(0).total(Event.EVICTIONS));
      assertEquals("nor is the SSD to be replaced", 0,
          cluster.metrics(0).total(Event.DAMAGED_PAGES));
      assertTrue("only the operator puts it back", Files.notExists(ssd.path()));

      Files.createDirectory(ssd.path());
      awaitState(SsdState.NORMAL);
      readers.assertNoneFailed();
      readers.close();
      assertSoonFull();
      assertTrue(String.join("\n", log.lines()), log.lines().size() <= MOST_LINES);
    }
  }

  @Test
  public void awayAndBackWithItsPages_thoseOfChangedFilesAreGone() throws Exception {
    Path away = ssd.path().resolveSibling("away");
    long pages = ssd.pages().count();
    Files.move(ssd.path(), away);
    awaitState(SsdState.DOWN);
    assertEquals(new Condition("ssd-down", ssd.path().toString()),
        cluster.view(0).condition());
    for (String file : List.copyOf(files.keySet()).subList(0, files.size() - KEPT)) {
      cluster.fs().delete(new org.apache.hadoop.fs.Path(file), true);
      files.remove(file);
    }
    LocalCacheCluster.await("deleted",
        () -> cluster.cache(0).index().blocks() <= files.size());
    Files.move(away, ssd.path());
    awaitState(SsdState.NORMAL);
    LocalCacheCluster.await("the restore", () -> !cluster.cache(0).restore().isInProgress());
    LocalCacheCluster.await("less than " + pages + " pages", () -> ssd.pages().count() < pages);
    cluster.settle();
    assertEquals("filling", cluster.view(0).condition().name());
    assertEquals("no file without a page",
        cluster.pageFiles("").size(), cluster.cache(0).index().pages());
    long hits = cluster.reads(ReadOutcome.HIT);
    readAll();
    assertEquals("the others are restored", hits + KEPT, cluster.reads(ReadOutcome.HIT));
  }

  @Test
  public void removedAndClosed_endsAndLeavesNothing() throws Exception {
    removeDirectory();
    awaitState(SsdState.DOWN);
    cluster.mini().stopDataNode(0);
    assertTrue(Files.notExists(ssd.path()));
  }
}
