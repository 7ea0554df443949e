/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** What happens between two steps of a thread, which others use to change the table. */
public class TestBlockTable {
  private static final SlidingReads RULES = new SlidingReads(8, 10);
  /** One bucket. */
  private static final int MAX_BLOCKS = BlockTable.WAYS * 2 / 3;
  private static final long MINUTE = 1;

  private Runnable meanwhile = () -> { };
  private final BlockTable table = new BlockTable(new Watched(), MAX_BLOCKS);

  @Test
  public void lastSlotTakenForTheSameBlock_byAnotherThread_noBlockIsForgotten() {
    for (int block = 1; block < BlockTable.WAYS; block++) {
      table.add(key(block), MINUTE);
      table.add(key(block), MINUTE);
    }
    meanwhile = () -> table.add(key(0), MINUTE);
    table.add(key(0), MINUTE);
    for (int block = 0; block < BlockTable.WAYS; block++) {
      assertEquals("block " + block, 2, reads(block));
    }
    assertEquals(0, table.forgotten());
  }

  private int reads(int block) {
    long state = table.state(key(block));
    return RULES.reads(table.history(state), table.age(state, MINUTE));
  }

  private static long key(int block) {
    return BlockHash.key(0, block);
  }

  /** The rules, that let something happen once, when the table next looks for a slot to give. */
  private final class Watched implements ReadHistory {

    @Override
    public int bits() {
      return RULES.bits();
    }

    @Override
    public long add(long history, long age) {
      return RULES.add(history, age);
    }

    @Override
    public int heat(long history, long age) {
      Runnable now = meanwhile;
      meanwhile = () -> { };
      now.run();
      return RULES.heat(history, age);
    }

    @Override
    public long merge(long one, long ageOfOne, long other, long ageOfOther) {
      return RULES.merge(one, ageOfOne, other, ageOfOther);
    }
  }
}
