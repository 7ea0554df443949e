/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** What happens between two steps of a thread, which others use to count reads. */
public class TestBlockTable {
  private static final SlidingReads RULES = new SlidingReads(8, 10);
  /** One bucket. */
  private static final int MAX_BLOCKS = BlockTable.WAYS * 2 / 3;
  private static final long MINUTE = 100;
  private static final int NEW_BLOCK = BlockTable.WAYS;

  private final Watched watched = new Watched();
  private final BlockTable table = new BlockTable(watched, MAX_BLOCKS);

  @Test
  public void oldBlocksReadWhileASlotIsLookedForAmongTheirs_noReadIsLost() {
    for (int step = 0; step < 5 * BlockTable.WAYS; step++) {
      long minute = MINUTE * (step + 1);
      for (int block = 0; block < BlockTable.WAYS; block++) {
        table.add(key(block), minute - RULES.bits());
      }
      // All but the last are read, so that there is room for the new one.
      watched.at(step, () -> {
        for (int block = 0; block < BlockTable.WAYS - 1; block++) {
          table.add(key(block), minute);
        }
      });
      table.add(key(NEW_BLOCK), minute);
      watched.runNow();
      assertEquals("new block, step " + step, 1, reads(NEW_BLOCK, minute));
      for (int block = 0; block < BlockTable.WAYS - 1; block++) {
        assertEquals("block " + block + ", step " + step, 1, reads(block, minute));
      }
    }
    assertEquals(0, table.forgotten());
  }

  private int reads(int block, long minute) {
    long state = table.state(key(block));
    return RULES.reads(table.history(state), table.age(state, minute));
  }

  private static long key(int block) {
    return BlockHash.key(0, block);
  }

  /** The rules, that let something happen once, when the table looks at some history. */
  private static final class Watched implements ReadHistory {
    private Runnable meanwhile = () -> { };
    private int stepsLeft;

    void at(int step, Runnable what) {
      stepsLeft = step;
      meanwhile = what;
    }

    /** If the table has not looked as often as that. */
    void runNow() {
      Runnable now = meanwhile;
      meanwhile = () -> { };
      now.run();
    }

    @Override
    public int bits() {
      return RULES.bits();
    }

    @Override
    public long add(long history, long age) {
      step();
      return RULES.add(history, age);
    }

    @Override
    public int heat(long history, long age) {
      step();
      return RULES.heat(history, age);
    }

    private void step() {
      if (stepsLeft-- == 0) {
        runNow();
      }
    }
  }
}
