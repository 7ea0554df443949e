/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import static io.hdfslocalcache.testing.LocalCacheCluster.await;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.simulation.LoggedFileSystem;
import io.hdfslocalcache.testing.Pauses;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.conf.Configuration;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A restore meets changes of replicas, fills, evictions and shutdowns at the worst moments. */
public class TestRestore {

  private static final BlockKey BLOCK = MemoryDataNode.key(1);
  private static final BlockKey OTHER_POOL = new BlockKey("BP-2-127.0.0.1-2", 1);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final Pauses pauses = new Pauses();
  private final LoggedFileSystem disk = new LoggedFileSystem();
  private final CountDownLatch listing = new CountDownLatch(1);
  private final Semaphore goOn = new Semaphore(0);
  private Path root;
  private String deadline = "1s";
  private MemoryDataNode before;
  private int pages;

  @Before
  public void cacheABlock() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    before = new MemoryDataNode();
    pages = cacheAndClose(before, BLOCK);
  }

  @After
  public void checkNothingIsLeft() throws IOException {
    pauses.end();
    goOn.release(1000);
    assertEquals(List.of(), files("tmp"));
  }

  private LocalCacheConfig config() throws IOException {
    Configuration conf = new Configuration(false);
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    conf.set(LocalCacheKeys.DIRECTORIES, root.resolve("ssd").toString());
    conf.set(LocalCacheKeys.CAPACITY, "1m");
    conf.set(LocalCacheKeys.RESERVED, "0");
    conf.set(LocalCacheKeys.PAGE_SIZE, "4k");
    conf.set(LocalCacheKeys.IO_DEADLINE, deadline);
    return TestingConfig.from(conf).withDirectories(List.of(root.resolve("ssd")));
  }

  private LocalCache open(MemoryDataNode dataNode) throws IOException {
    return dataNode.open(config());
  }

  private int cacheAndClose(MemoryDataNode dataNode, BlockKey... blocks) throws IOException {
    try (LocalCache cache = open(dataNode)) {
      for (BlockKey block : blocks) {
        dataNode.put(block, 1001);
        assertFalse(dataNode.readAndCompare(cache, block));
        await("fill", () -> !cache.isFilling());
        assertTrue(dataNode.readAndCompare(cache, block));
      }
      cache.shutdownBegins();
      return (int) cache.index().pages();
    }
  }

  /** From now on, the SSD is one that can fail; it has a block's pages. @return their order */
  private Path useFaultySsd() throws IOException {
    root = disk.getPath("/");
    pages = cacheAndClose(before, BLOCK);
    return root.resolve("ssd/dn-uuid/order");
  }

  /** The directory of the only block. */
  private Path bucket() throws IOException {
    return files("LOCAL").get(0).getParent().getParent();
  }

  /** Before the only block is listed, waits until it may {@link #goOn}. */
  private void holdListing(Path path, Path bucket) {
    if (path.equals(bucket)) {
      listing.countDown();
      goOn.acquireUninterruptibly();
    }
  }

  private static void awaitRestore(LocalCache cache) {
    await("restore", () -> !cache.restore().isInProgress());
    await("removals", () -> cache.changes().isIdle());
  }

  private List<Path> files(String below) throws IOException {
    Path directory = root.resolve("ssd/dn-uuid").resolve(below);
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private void assertNothingCached(LocalCache cache) throws IOException {
    assertEquals(List.of(), files("LOCAL"));
    assertEquals(0, cache.index().pages());
    assertEquals(0, cache.index().blocks());
    assertEquals(0, cache.directories().all().get(0).usedBytes());
  }

  private static MemoryDataNode dataNode(BlockKey... blocks) {
    MemoryDataNode dataNode = new MemoryDataNode();
    for (BlockKey block : blocks) {
      dataNode.put(block, 1001);
    }
    return dataNode;
  }

  /** As while another thread holds the dataset's lock and waits for a data volume. */
  @Test
  public void dataNodeDoesNotSayWhichReplicaItHas_ssdIsNotBlamed() throws Exception {
    useFaultySsd();
    deadline = "100ms";
    CountDownLatch asked = new CountDownLatch(1);
    MemoryDataNode dataNode = new MemoryDataNode() {
      @Override
      public boolean isCurrent(ReplicaSnapshot snapshot) {
        asked.countDown();
        goOn.acquireUninterruptibly();
        return super.isCurrent(snapshot);
      }
    };
    dataNode.put(BLOCK, 1001);
    try (LocalCache cache = open(dataNode)) {
      cache.blockPoolReady(MemoryDataNode.POOL, () -> 1);
      asked.await();
      long hung = 3 * config().healthLimits().writeDeadlineNanos();
      Thread.sleep(TimeUnit.NANOSECONDS.toMillis(hung));
      String reason = cache.directories().all().get(0).io().health().reason();
      assertFalse(reason, reason.contains("does not answer: Restore"));
      goOn.release(1000);
      awaitRestore(cache);
      assertEquals(pages, cache.index().pages());
    }
  }

  /** Nothing is to be restored, but no block can be read either. */
  @Test
  public void poolNotReady_noPages_isNotReady() throws Exception {
    root = folder.newFolder("empty").toPath();
    Files.createDirectories(root.resolve("ssd/dn-uuid/tmp"));
    try (LocalCache cache = open(new MemoryDataNode())) {
      await("the restore of nothing", () -> !cache.restore().isInProgress());
      LocalCacheView view = new LocalCacheView(cache);
      assertEquals("restoring", view.condition().name());
      String why = view.block(BLOCK).why();
      assertTrue(why, why.contains("which has not loaded the block pool yet"));
      cache.blockPoolReady(MemoryDataNode.POOL, () -> 1);
      assertEquals("filling", view.condition().name());
      why = view.block(BLOCK).why();
      assertEquals("there is no finalized replica on a disk of this DataNode", why);
    }
  }

  @Test
  public void poolNotReady_pagesTakeRoomButAreNotFound() throws Exception {
    MemoryDataNode dataNode = dataNode(BLOCK);
    try (LocalCache cache = open(dataNode)) {
      await("adoption", () -> cache.index().pages() == pages);
      assertNull(cache.index().cached(BLOCK));
      assertTrue(cache.restore().isInProgress());
      String progress = cache.restore().progress();
      assertTrue(progress, progress.matches("(0 %|waiting for the block pools) \\([0-9]+ s\\)"));
      assertEquals("restoring", new LocalCacheView(cache).condition().name());
      assertEquals(0, new LocalCacheView(cache).clearAll("test"));
      assertEquals("though all are adopted", List.of("pages are still being restored"),
          new LocalCacheView(cache).mayComeBack());
      assertTrue(cache.directories().all().get(0).usedBytes() > 0);
      cache.blockPoolReady(MemoryDataNode.POOL, () -> 1);
      awaitRestore(cache);
      assertEquals("", cache.restore().progress());
      assertTrue(dataNode.readAndCompare(cache, BLOCK));
      assertEquals(pages, dataNode.metrics.total(Event.RESTORED_PAGES));
      assertEquals(0, dataNode.metrics.errors());
    }
  }

  @Test
  public void poolThatNobodyServes_isDroppedWhenAllOthersAreReady() throws Exception {
    cacheAndClose(dataNodeOfBothPools(), OTHER_POOL);
    MemoryDataNode dataNode = dataNode(OTHER_POOL);
    try (LocalCache cache = open(dataNode)) {
      cache.blockPoolReady("BP-3-127.0.0.1-3", () -> 2);
      cache.blockPoolReady(OTHER_POOL.blockPoolId(), () -> 2);
      awaitRestore(cache);
      assertEquals(pages, dataNode.metrics.total(Event.RESTORE_DROPPED_STALE));
      assertNull(cache.index().cached(BLOCK));
      assertTrue(dataNode.readAndCompare(cache, OTHER_POOL));
      assertEquals(files("LOCAL").size(), cache.index().cached(OTHER_POOL).pages());
    }
  }

  @Test
  public void poolThatNeverWasReady_isDroppedWhenTheDataNodeNoLongerServesIt() throws Exception {
    cacheAndClose(dataNodeOfBothPools(), OTHER_POOL);
    MemoryDataNode dataNode = dataNode(OTHER_POOL);
    AtomicInteger nameServices = new AtomicInteger(2);
    try (LocalCache cache = open(dataNode)) {
      cache.blockPoolReady(OTHER_POOL.blockPoolId(), nameServices::get);
      await("one block", () -> cache.index().cached(OTHER_POOL) != null);
      assertTrue(cache.restore().isInProgress());
      nameServices.set(1);
      awaitRestore(cache);
      assertEquals(pages, dataNode.metrics.total(Event.RESTORE_DROPPED_STALE));
      assertNull(cache.index().cached(BLOCK));
    }
  }

  /** @return a DataNode with the first pool's block as it was, and the other pool's. */
  private MemoryDataNode dataNodeOfBothPools() {
    return dataNode(BLOCK, OTHER_POOL);
  }

  @Test
  public void poolRemovedWhileItWaits_isDropped() throws Exception {
    MemoryDataNode dataNode = dataNode();
    try (LocalCache cache = open(dataNode)) {
      await("adoption", () -> cache.index().pages() == pages);
      cache.blockPoolRemoved(MemoryDataNode.POOL, id -> asItWas -> null);
      awaitRestore(cache);
      assertNothingCached(cache);
    }
  }

  @Test
  public void shutdownBegins_closedPoolsDropNothing() throws Exception {
    MemoryDataNode dataNode = dataNode(BLOCK);
    try (LocalCache cache = open(dataNode)) {
      await("adoption", () -> cache.index().pages() == pages);
      cache.shutdownBegins();
      dataNode.remove(BLOCK);
      cache.blockPoolReady(MemoryDataNode.POOL, () -> 1);
      cache.blockPoolRemoved(MemoryDataNode.POOL, id -> asItWas -> null);
      awaitRestore(cache);
    }
    assertEquals(pages, files("LOCAL").size());
  }

  @Test
  public void listingFails_isRepeated_andNoPageIsLost() throws Exception {
    useFaultySsd();
    pauses.begin();
    Path bucket = bucket();
    AtomicInteger failures = new AtomicInteger(1);
    disk.setFaults((call, path) -> {
      if (path.equals(bucket) && failures.getAndDecrement() > 0) {
        throw new IOException("Input/output error");
      }
    });
    MemoryDataNode dataNode = dataNode(BLOCK);
    try (LocalCache cache = restored(dataNode)) {
      assertTrue("it has failed", failures.get() < 0);
      assertEquals(pages, files("LOCAL").size());
      assertTrue(dataNode.readAndCompare(cache, BLOCK));
    }
  }

  /** Such as a damaged directory of the file system. */
  @Test
  public void listingOfOneDirectoryFailsForEver_pagesOfOthersAreRestored() throws Exception {
    useFaultySsd();
    Path bucket = bucket();
    BlockKey other = MemoryDataNode.key(2);
    cacheAndClose(dataNode(BLOCK), other);
    int others = files("LOCAL").size() - pages;
    assertFalse(files("LOCAL").stream().allMatch(file -> file.startsWith(bucket)));
    disk.setFaults((call, path) -> {
      if (path.equals(bucket)) {
        throw new IOException("Structure needs cleaning");
      }
    });
    MemoryDataNode dataNode = dataNode(BLOCK, other);
    pauses.begin();
    try (LocalCache cache = open(dataNode)) {
      cache.blockPoolReady(MemoryDataNode.POOL, () -> 1);
      awaitRestore(cache);
      assertEquals(others, dataNode.metrics.total(Event.RESTORED_PAGES));
      assertTrue(dataNode.readAndCompare(cache, other));
    }
  }

  @Test
  public void foreignDirectoryCannotBeDeleted_staysAndPagesAreRestored() throws Exception {
    useFaultySsd();
    Path foreign = Files.createDirectory(bucket().resolve("foreign"));
    disk.setFaults((call, path) -> {
      if (path.equals(foreign)) {
        throw new IOException("Operation not permitted");
      }
    });
    MemoryDataNode dataNode = dataNode(BLOCK);
    try (LocalCache cache = restored(dataNode)) {
      assertTrue(dataNode.readAndCompare(cache, BLOCK));
    } finally {
      disk.setFaults((call, path) -> { });
    }
    assertTrue(Files.exists(foreign));
  }

  @Test
  public void stopWhileBlocksAreListed_savesTheirOrderAndWhatWasInMemory() throws Exception {
    Path order = useFaultySsd();
    Path bucket = bucket();
    String line = files("LOCAL").get(0).getParent().getFileName() + " 0 1\n";
    Files.writeString(order, line);
    disk.setFaults((call, path) -> holdListing(path, bucket));
    try (LocalCache cache = open(dataNode(BLOCK))) {
      listing.await();
      assertFalse(Files.exists(order));
      cache.keep();
      assertEquals(line, Files.readString(order));
      goOn.release(1000);
      await("adoption", () -> cache.index().pages() == pages);
      Files.delete(order);
      cache.keep();
      assertEquals("its pool is not ready", line, Files.readString(order));
    }
  }

  /** A DataNode ends the process soon after its last block pool, whatever goes on. */
  @Test
  public void close_restoreHangs_theOrderIsSavedBeforeItIsWaitedFor() throws Exception {
    Path order = useFaultySsd();
    Path bucket = bucket();
    AtomicLong saved = new AtomicLong();
    disk.setFaults((call, path) -> {
      holdListing(path, bucket);
      if (path.equals(order) && listing.getCount() == 0) {
        saved.compareAndSet(0, System.nanoTime());
      }
    });
    LocalCache cache = open(dataNode(BLOCK));
    listing.await();
    long began = System.nanoTime();
    cache.close();
    long took = System.nanoTime() - began;
    assertTrue(saved.get() - began + " of " + took + " ns",
        saved.get() != 0 && saved.get() - began < took / 2);
  }

  private LocalCache restored(MemoryDataNode dataNode) throws IOException {
    LocalCache cache = open(dataNode);
    cache.blockPoolReady(MemoryDataNode.POOL, () -> 1);
    awaitRestore(cache);
    assertEquals(pages, dataNode.metrics.total(Event.RESTORED_PAGES));
    return cache;
  }

  @Test
  public void sameReplica_isLookedAtOnce() throws Exception {
    MemoryDataNode dataNode = dataNode(BLOCK);
    try (LocalCache cache = restored(dataNode)) {
      assertEquals("no disk is asked before a client reads", 0, dataNode.looks.get());
      assertTrue(dataNode.readAndCompare(cache, BLOCK));
      assertTrue(dataNode.readAndCompare(cache, BLOCK));
      assertEquals(1, dataNode.looks.get());
      assertEquals(0, dataNode.metrics.total(Event.RESTORE_DROPPED_STALE));
    }
  }

  @Test
  public void replicaCannotBeLookedAt_isAMissAndThePagesStay() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    MemoryDataNode dataNode = new MemoryDataNode() {
      @Override
      public ReplicaIdentity identity(ReplicaSnapshot snapshot) throws IOException {
        if (fails.get()) {
          throw new IOException("the disk is sick");
        }
        return super.identity(snapshot);
      }

      @Override
      public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
        if (fails.get()) {
          throw new IOException("the disk is sick");
        }
        return super.open(snapshot);
      }
    };
    dataNode.put(BLOCK, 1001);
    try (LocalCache cache = restored(dataNode)) {
      assertFalse(dataNode.readAndCompare(cache, BLOCK));
      fails.set(false);
      assertTrue(dataNode.readAndCompare(cache, BLOCK));
      assertEquals(0, dataNode.metrics.total(Event.RESTORE_DROPPED_STALE));
    }
  }
}
