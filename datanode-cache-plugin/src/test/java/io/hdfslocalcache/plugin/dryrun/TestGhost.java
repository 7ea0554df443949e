/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class TestGhost {

  private static final String POOL = "BP-1-10.0.0.1-2";
  private static final String CLIENT = "client";
  private static final int PAGE = 4096;
  /** What a page file takes: checksums and trailer need a second block of the file system. */
  private static final int PAGE_FILE = 8192;
  private static final long BLOCK = 64L * PAGE;

  private final AtomicLong clock = new AtomicLong();
  private final AtomicBoolean on = new AtomicBoolean(true);
  private final AtomicBoolean current = new AtomicBoolean(true);
  private final Configuration conf = new Configuration(false);
  private Ghosts ghosts;

  private final class Replicas implements ReplicaAccess {
    @Override
    public boolean isCurrent(ReplicaSnapshot snapshot) {
      return current.get();
    }

    @Override
    public String volumeOf(BlockKey key) {
      return "volume";
    }

    @Override
    public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
      return ReplicaIdentity.NONE;
    }

    @Override
    public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
      throw new AssertionError("a ghost opens no replica");
    }

    @Override
    public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
        throws IOException {
      return open(snapshot);
    }
  }

  private Ghost start() throws BadConfigurationException {
    conf.setBoolean(LocalCacheKeys.DRY_RUN, true);
    conf.setIfUnset(LocalCacheKeys.DRY_RUN_GHOSTS, "ghost");
    conf.setIfUnset(LocalCacheKeys.PAGE_SIZE, "4k");
    conf.setIfUnset(LocalCacheKeys.CAPACITY, String.valueOf(16 * PAGE_FILE));
    conf.setIfUnset("dfs.datanode.local.cache.rate.limiter.threshold", "0");
    return start(DryRunConfig.from(conf));
  }

  private Ghost start(DryRunConfig config) throws BadConfigurationException {
    ghosts = new Ghosts(config, new Replicas(), on::get, clock::get);
    return ghosts.all().get(0);
  }

  private static ReplicaSnapshot block(long id, long stamp) {
    return new ReplicaSnapshot(new BlockKey(POOL, id), stamp, BLOCK);
  }

  private void read(ReplicaSnapshot snapshot, long from, long to) {
    begin(snapshot, from, to).finished(to);
  }

  private Ghosts.Reading begin(ReplicaSnapshot snapshot, long from, long to) {
    return ghosts.beginRead(
        CLIENT, null, snapshot, snapshot.generationStamp(), null, from, to);
  }

  private static void assertReads(Ghost ghost, ReadOutcome outcome, long reads) {
    assertEquals(outcome.name(), reads, ghost.metrics().reads(outcome));
  }

  @Test
  public void windowOfBucketTime_passesByTheClock() throws Exception {
    conf.set("dfs.datanode.local.cache.rate.limiter.threshold", "2");
    conf.set("dfs.datanode.local.cache.rate.limiter.window", "10m");
    Ghost ghost = start();
    read(block(1, 1), 0, PAGE);
    read(block(1, 1), 0, PAGE);
    clock.addAndGet(11 * 60_000);
    read(block(1, 1), 0, PAGE);
    assertReads(ghost, ReadOutcome.MISS_NOT_ADMITTED, 3);
    read(block(1, 1), 0, PAGE);
    read(block(1, 1), 0, PAGE);
    assertReads(ghost, ReadOutcome.MISS_ADMITTED, 1);
    read(block(1, 1), 0, PAGE);
    assertReads(ghost, ReadOutcome.HIT, 1);
  }

  @Test
  public void writeBudget_isSpentByTheGhostsOwnFills() throws Exception {
    conf.set("dfs.datanode.local.cache.rate.limiter.threshold", "0");
    conf.set("dfs.datanode.local.cache.write.budget", "1m");
    Ghost ghost = start();
    for (int i = 0; i < 5; i++) {
      read(block(1, 1), 0, PAGE);
      clock.addAndGet(60_000);
    }
    assertEquals(1, ghost.metrics().total(Event.FILLS));
    assertEquals(ghost.metrics().total(Event.FILL_WRITTEN_BYTES),
        ghost.admission().values().get("BudgetSpentBytes").longValue());
  }

  /** A ghost of 16 pages that holds only pages of one hot block, while it is read through. */
  @Test
  public void hotPagesEvicted_floorOfTheGhostsLimiterRises() throws Exception {
    conf.set("dfs.datanode.local.cache.write.budget", "1g");
    Ghost ghost = start();
    long before = ghost.admission().values().get("ThresholdFloorMilli");
    for (int i = 0; i < 10; i++) {
      read(block(1, 1), 0, BLOCK);
      clock.addAndGet(60_000);
    }
    assertTrue("evictions", ghost.metrics().total(Event.EVICTIONS) > 0);
    long raised = ghost.admission().values().get("ThresholdFloorMilli");
    assertTrue(before + " to " + raised, raised > before);
  }

  @Test
  public void fullSsd_theLeastRecentlyUsedPageLeaves_andUnreadOnesAreCounted() throws Exception {
    Ghost ghost = start();
    for (int i = 0; i < 16; i++) {
      read(block(i, 1), 0, PAGE);
    }
    read(block(0, 1), 0, PAGE);
    read(block(99, 1), 0, PAGE);
    assertEquals(1, ghost.metrics().total(Event.EVICTIONS));
    assertEquals(1, ghost.metrics().total(Event.EVICTED_WITHOUT_READ));
    assertEquals(16, ghost.gauges().pages());
    read(block(0, 1), 0, PAGE);
    assertReads(ghost, ReadOutcome.HIT, 2);
    read(block(1, 1), 0, PAGE);
    assertReads(ghost, ReadOutcome.MISS_ADMITTED, 18);
    assertEquals("a block whose last page left is forgotten", 16, ghost.gauges().blocks());
  }

  @Test
  public void change_removesPages_newerStampToo() throws Exception {
    Ghost ghost = start();
    read(block(1, 1), 0, 3 * PAGE);
    ghosts.replicaChanged(new BlockKey(POOL, 1), block(1, 1), false);
    assertEquals("the same again is no change", 3, ghost.gauges().pages());
    ghosts.replicaChanged(new BlockKey(POOL, 1), null, true);
    assertEquals("an append keeps them for those who read the old ones", 3, ghost.gauges().pages());
    ghosts.replicaChanged(new BlockKey(POOL, 1), block(1, 2), false);
    assertEquals(0, ghost.gauges().pages());
    assertEquals(3, ghost.metrics().total(Event.INVALIDATED_PAGES));
    read(block(1, 2), 0, PAGE);
    read(block(1, 3), 0, PAGE);
    assertEquals("at most one version of a block has pages", 1, ghost.gauges().pages());
    ghosts.blockPoolRemoved(POOL);
    assertEquals(0, ghost.gauges().pages());
    assertEquals(0, ghost.status().usedBytes());
  }

  @Test
  public void shutdown_isNoChange() throws Exception {
    Ghost ghost = start();
    read(block(1, 1), 0, PAGE);
    ghosts.shutdownBegins();
    ghosts.blockPoolRemoved(POOL);
    assertEquals(1, ghost.gauges().pages());
  }

  @Test
  public void replicaThatChangedMeanwhile_isNotFilled() throws Exception {
    Ghost ghost = start();
    current.set(false);
    read(block(1, 1), 0, PAGE);
    assertEquals(0, ghost.gauges().pages());
    assertEquals(0, ghost.gauges().blocks());
    assertEquals(1, ghost.metrics().total(Event.FILLS_DROPPED_STALE));
  }

  @Test
  public void readThatEndsEarly_countsAndFillsWhatWasSent() throws Exception {
    Ghost ghost = start();
    begin(block(1, 1), 0, BLOCK).finished(PAGE + 1);
    assertEquals(2, ghost.gauges().pages());
    assertEquals(PAGE + 1, ghost.metrics().total(Event.BYTES_MISS));
    begin(block(1, 1), 0, BLOCK).finished(PAGE + 1);
    assertReads(ghost, ReadOutcome.HIT, 1);
    begin(block(1, 1), PAGE, BLOCK).finished(3 * PAGE);
    assertReads(ghost, ReadOutcome.PARTIAL_HIT, 1);
    assertEquals(PAGE + 1 + PAGE, ghost.metrics().total(Event.BYTES_HIT));
  }

  @Test
  public void bypasses_areThoseOfTheLocalCache() throws Exception {
    Ghost ghost = start();
    ghosts.beginRead("", null, block(1, 1), 1, null, 0, PAGE).finished(PAGE);
    assertReads(ghost, ReadOutcome.BYPASS_NOT_CLIENT, 1);
    ghosts.beginRead(CLIENT, null, block(1, 1), 1, ReadOutcome.BYPASS_UNSUPPORTED, 0, PAGE)
        .finished(PAGE);
    assertReads(ghost, ReadOutcome.BYPASS_UNSUPPORTED, 1);
    on.set(false);
    read(block(1, 1), 0, PAGE);
    assertReads(ghost, ReadOutcome.BYPASS_OFF, 1);
    assertEquals(3 * PAGE, ghost.metrics().total(Event.BYTES_BYPASS));
    assertEquals(0, ghost.gauges().pages());
  }

  @Test
  public void duringAnAppend_readersOfTheOldVersionStillHit() throws Exception {
    Ghost ghost = start();
    read(block(1, 1), 0, PAGE);
    ghosts.replicaChanged(new BlockKey(POOL, 1), null, true);
    ReplicaSnapshot writing = new ReplicaSnapshot(new BlockKey(POOL, 1), 2, BLOCK + 5);
    ghosts.beginRead(CLIENT, null, writing, 1, ReadOutcome.BYPASS_NOT_FINALIZED, 0, PAGE)
        .finished(PAGE);
    ghosts.beginRead(CLIENT, null, writing, 2, ReadOutcome.BYPASS_NOT_FINALIZED, 0, PAGE)
        .finished(PAGE);
    assertReads(ghost, ReadOutcome.HIT, 1);
    assertReads(ghost, ReadOutcome.BYPASS_NOT_FINALIZED, 1);
  }

  @Test
  public void fault_isCountedAndGoesNoFurther() throws Exception {
    Ghost ghost = start();
    ReplicaSnapshot unnameable = new ReplicaSnapshot(new BlockKey("../..", 1), 1, BLOCK);
    read(unnameable, 0, PAGE);
    assertEquals(1, ghost.metrics().errors());
    read(block(1, 1), 0, PAGE);
    assertEquals(1, ghost.gauges().pages());
    assertEquals(0, ghosts.readsInProgress());
  }

  @Test
  public void pagesOfAllGhosts_areBounded() throws Exception {
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, "a,b");
    start();
    DryRunConfig config = DryRunConfig.from(conf);
    start(new DryRunConfig(true, config.ghosts(), 32));
    // Blocks of a byte have pages that take half of what full ones take.
    for (int i = 0; i < 40; i++) {
      read(new ReplicaSnapshot(new BlockKey(POOL, i), 1, 1), 0, 1);
    }
    assertEquals(32, ghosts.all().stream().mapToLong(ghost -> ghost.gauges().pages()).sum());
    assertTrue(ghosts.all().stream().mapToLong(
        ghost -> ghost.metrics().total(Event.FILLS_DROPPED_NOT_PUBLISHED)).sum() > 0);
  }

  @Test
  public void readersAndChangesAtOnce_leaveTheBooksInOrder() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    conf.set(LocalCacheKeys.CAPACITY, String.valueOf(100 * PAGE_FILE));
    Ghost ghost = start();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Random random = new Random(seed + t);
      running.add(threads.submit(() -> {
        for (int i = 0; i < 5000; i++) {
          long id = random.nextInt(10);
          if (random.nextInt(50) == 0) {
            ghosts.replicaChanged(new BlockKey(POOL, id), null, false);
          } else {
            long from = random.nextInt((int) BLOCK - 1);
            read(block(id, 1), from, from + 1 + random.nextInt((int) (BLOCK - from)));
          }
        }
      }));
    }
    for (Future<?> one : running) {
      one.get();
    }
    threads.shutdown();
    assertEquals(0, ghost.metrics().errors());
    long pages = ghost.gauges().pages();
    assertTrue("seed " + seed + ": " + pages, pages <= 100);
    assertEquals(pages * PAGE_FILE, ghost.status().usedBytes());
    assertEquals(ghost.metrics().total(Event.FILLS) - ghost.metrics().total(Event.EVICTIONS)
        - ghost.metrics().total(Event.INVALIDATED_PAGES), pages);
    ghosts.blockPoolRemoved(POOL);
    assertEquals(0, ghost.gauges().pages());
    assertEquals(0, ghost.gauges().blocks());
    assertEquals(0, ghost.status().usedBytes());
  }
}
