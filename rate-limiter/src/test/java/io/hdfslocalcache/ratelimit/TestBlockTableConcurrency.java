/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Threads that bring the same new blocks, and lose the CPU in the middle of it. */
public class TestBlockTableConcurrency {
  private static final int THREADS = 8;
  private static final int WINDOW = 10;
  private static final int BLOCKS = 20;
  private static final int ROUNDS = 1_000;

  private final SlidingReads rules = new SlidingReads(THREADS, WINDOW);
  private final BlockTable table = new BlockTable(new Interrupted(rules), 1024);

  @Test
  public void newBlocksInTableWithRoom_everyReadIsCounted() throws Exception {
    AtomicInteger lost = new AtomicInteger();
    CyclicBarrier together = new CyclicBarrier(THREADS);
    Threads.run(THREADS, thread -> {
      for (int round = 0; round < ROUNDS; round++) {
        // What was read the round before is too old to count.
        long minute = (long) round * WINDOW;
        together.await(1, TimeUnit.MINUTES);
        for (int i = 0; i < BLOCKS; i++) {
          table.add(key(round, i), minute);
        }
        together.await(1, TimeUnit.MINUTES);
        for (int i = thread; i < BLOCKS; i += THREADS) {
          long state = table.state(key(round, i));
          lost.addAndGet(THREADS - rules.reads(table.history(state), table.age(state, minute)));
        }
      }
    });
    assertEquals("lost reads", 0, lost.get());
    assertEquals("forgotten blocks", 0, table.forgotten());
  }

  private static long key(int round, int block) {
    return BlockHash.key(0, (long) round * BLOCKS + block);
  }

  /** Lets other threads go first now and then, wherever the table looks at a history. */
  private record Interrupted(ReadHistory rules) implements ReadHistory {

    @Override
    public int bits() {
      return rules.bits();
    }

    @Override
    public long add(long history, long age) {
      letOthersRun();
      return rules.add(history, age);
    }

    @Override
    public int heat(long history, long age) {
      letOthersRun();
      return rules.heat(history, age);
    }

    private static void letOthersRun() {
      if (ThreadLocalRandom.current().nextInt(8) == 0) {
        Thread.yield();
      }
    }
  }
}
