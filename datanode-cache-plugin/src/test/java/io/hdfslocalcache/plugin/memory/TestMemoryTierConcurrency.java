/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Pages enter, leave, and are read, while the tier is switched off and on. */
public class TestMemoryTierConcurrency {

  private static final int PAGE = 4096;
  private static final int PAGES = 40;
  private static final int ROUNDS = 5000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final AtomicInteger found = new AtomicInteger();
  private final AtomicInteger entered = new AtomicInteger();
  private TestingReplica replica;
  private CachedBlock block;
  private MemoryTier tier;

  private interface Step {
    void take(Random random) throws IOException;
  }

  private static Callable<Void> repeat(Random random, Step step) {
    return () -> {
      for (int i = 0; i < ROUNDS; i++) {
        step.take(random);
      }
      return null;
    };
  }

  @Test
  public void everything_atOnce_rightBytesAndNothingIsLeft() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Path root = folder.getRoot().toPath().toRealPath();
    replica = TestingReplica.create(root, 1, PAGES * PAGE);
    BlockIndex index = new BlockIndex();
    block =
        index.register(replica.snapshot(), replica.layout(PAGE), TestingReplica.IDENTITY,
            TestingReplica.SSD).block();
    for (int page = 0; page < PAGES; page++) {
      index.pageAdded(TestingReplica.SSD, block.fileId(), page, 1);
    }
    BufferPool buffers = new BufferPool(1 << 20);
    tier = new MemoryTier(new MemoryLimits(root, PAGES / 2 * 2 * PAGE, 1000), PAGE, buffers,
        System::nanoTime);
    tier.setOpen(true);
    // Readers that are faster than all others find something, too.
    for (int page = 0; page < PAGES; page++) {
      tier.enter(block, page, 1, replica.page(block.layout(), page));
    }
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      tasks.add(repeat(new Random(seed + i), this::enter));
      tasks.add(repeat(new Random(seed + 2 + i), this::read));
    }
    tasks.add(repeat(new Random(seed + 4),
        random -> tier.remove(block.fileId(), random.nextInt(PAGES))));
    tasks.add(repeat(new Random(seed + 5), random -> {
      if (random.nextInt(100) == 0) {
        tier.setOpen(false);
        tier.setOpen(true);
      }
    }));
    ExecutorService threads = Executors.newCachedThreadPool();
    for (Future<Void> result : threads.invokeAll(tasks)) {
      result.get();
    }
    threads.shutdown();
    assertTrue("no page was ever found", found.get() > 0);
    assertTrue("few pages entered: " + entered, entered.get() > ROUNDS);
    assertEquals(tier.usedBytes() / (2 * PAGE), TestingSsd.openFilesBelow(root).size());
    tier.close();
    assertEquals(0, tier.usedBytes());
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
    assertEquals(0, buffers.inUseBytes());
  }

  private void enter(Random random) {
    int page = random.nextInt(PAGES);
    // While others free theirs, there may be no room for a moment.
    if (tier.enter(block, page, 1, replica.page(block.layout(), page))) {
      entered.incrementAndGet();
    }
  }

  private void read(Random random) throws IOException {
    assertTrue(tier.usedBytes() <= tier.capacityBytes());
    int page = random.nextInt(PAGES);
    try (PageBytes bytes = tier.find(block, page)) {
      if (bytes != null) {
        found.incrementAndGet();
        ByteBuffer data = ByteBuffer.allocate(PAGE);
        bytes.readData(0, data);
        assertEquals(ByteBuffer.wrap(replica.data(), page * PAGE, PAGE), data.flip());
      }
    }
  }
}
