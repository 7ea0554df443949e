/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.junit.After;
import org.junit.Test;

/** Fills that register and changes that remove, at the same time and of the same blocks. */
public class TestBlockIndexConcurrency {

  private static final int THREADS = 4;
  private static final int BLOCKS = 3;
  private static final int LENGTH = 4096;

  private final BlockIndex index = new BlockIndex();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final CyclicBarrier start = new CyclicBarrier(THREADS);

  @After
  public void stop() {
    threads.shutdownNow();
  }

  private CachedBlock register(long id, long stamp) {
    return index.register(new ReplicaSnapshot(new BlockKey("BP-1", id), stamp, LENGTH),
        new PageLayout(LENGTH, TestingReplica.CRC32C, LENGTH), TestingReplica.IDENTITY, TestingReplica.SSD).block();
  }

  private <T> Set<T> allOf(Callable<T> task) throws Exception {
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      futures.add(threads.submit(() -> {
        start.await();
        return task.call();
      }));
    }
    Set<T> results = new HashSet<>();
    for (Future<T> future : futures) {
      results.add(future.get());
    }
    return results;
  }

  @Test
  public void register_raceForOneSnapshot_allGetTheSameEntry() throws Exception {
    for (int i = 0; i < 500; i++) {
      int id = i;
      assertEquals(1, allOf(() -> register(id, 1001)).size());
    }
  }

  @Test
  public void registerAndRemove_race_everyEntryIsEitherInTheIndexOrDead() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Set<CachedBlock> made = ConcurrentHashMap.newKeySet();
    allOf(() -> {
      Random random = new Random(seed + Thread.currentThread().getId());
      for (int i = 0; i < 20_000; i++) {
        change(random, made);
      }
      return null;
    });
    for (CachedBlock block : made) {
      boolean isFound = index.find(block.snapshot()) == block;
      assertEquals(block.toString(), isFound, !block.isDead());
    }
    assertTrue(index.blocks() <= BLOCKS);
  }

  /** If it were not, a delete would not find the entry, and keep no replica for the reader. */
  @Test
  public void removeReader_raceWithReaders_whoeverWasAdmittedIsInTheIndex() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    allOf(() -> {
      Random random = new Random(seed + Thread.currentThread().getId());
      for (int i = 0; i < 50_000; i++) {
        CachedBlock block = register(random.nextInt(BLOCKS), 1001);
        if (random.nextBoolean()) {
          assertTrue(block.addReader());
          block.removeReader();
        }
        assertSame(block, index.get(block.snapshot().key()));
        block.removeReader();
      }
      return null;
    });
    assertEquals("readers are gone", 0, index.blocks());
  }

  /** The page would never be served, and a delete would not find it. */
  @Test
  public void pageAdded_raceWithTheLastReader_staysInTheIndex() throws Exception {
    for (int i = 0; i < 100_000; i++) {
      CachedBlock block = register(i, 1001);
      assertTrue(block.addReader());
      Future<?> reader = threads.submit(block::removeReader);
      index.pageAdded(TestingReplica.SSD, block.fileId(), 0, 1);
      block.removeReader();
      reader.get();
      assertSame(block, index.find(block.snapshot()));
      assertTrue(index.discard(block));
    }
  }

  private void change(Random random, Set<CachedBlock> made) {
    long id = random.nextInt(BLOCKS);
    CachedBlock block = register(id, 1000 + random.nextInt(2));
    assertNotNull(block);
    made.add(block);
    if (random.nextBoolean()) {
      index.discard(block);
    }
    if (random.nextBoolean()) {
      block.removeReader();
    } // Else left for another thread.
  }
}
