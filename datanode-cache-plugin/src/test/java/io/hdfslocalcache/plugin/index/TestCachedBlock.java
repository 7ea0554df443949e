/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.BitSet;
import java.util.Random;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.junit.Test;

public class TestCachedBlock {

  private static final int PAGE = 4096;
  private static final int[] WORD_EDGES = {0, 1, 62, 63, 64, 65, 127, 128, 191};

  private static CachedBlock block(int pages) {
    long length = (long) pages * PAGE;
    return new CachedBlock(new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, length),
        new PageLayout(PAGE, TestingReplica.CRC32C, length));
  }

  @Test
  public void add_atWordEdges_marksJustThatPage() {
    for (int page : WORD_EDGES) {
      CachedBlock block = block(192);
      assertTrue(block.add(page));
      for (int other = 0; other < 192; other++) {
        assertEquals(page + " and " + other, other == page, block.mayHave(other));
      }
      assertTrue(block.remove(page));
      assertFalse(block.mayHave(page));
    }
  }

  @Test
  public void addAndRemove_repeated_countOnce() {
    CachedBlock block = block(70);
    assertTrue(block.add(69));
    assertFalse(block.add(69));
    assertEquals(1, block.pages());
    assertTrue(block.remove(69));
    assertFalse(block.remove(69));
    assertEquals(0, block.pages());
  }

  @Test
  public void mayHaveAny_rangesThatEndBesideThePage_onlyThoseThatIncludeIt() {
    for (int page : WORD_EDGES) {
      CachedBlock block = block(193);
      block.add(page);
      assertTrue(block.mayHaveAny(page, page));
      assertTrue(block.mayHaveAny(0, page));
      assertTrue(block.mayHaveAny(page, 192));
      assertTrue(block.mayHaveAny(0, 192));
      assertFalse(block.mayHaveAny(page + 1, 192));
      if (page > 0) {
        assertFalse(block.mayHaveAny(0, page - 1));
      }
    }
  }

  @Test
  public void kill_anyTime_staysDead() {
    CachedBlock block = block(1);
    assertFalse(block.isDead());
    block.kill();
    block.add(0);
    assertTrue(block.isDead());
  }

  @Test
  public void pages_randomChanges_sameAsBitSet() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int pages = 1 + random.nextInt(300);
    CachedBlock block = block(pages);
    BitSet expected = new BitSet();
    for (int i = 0; i < 20_000; i++) {
      int page = random.nextInt(pages);
      if (random.nextInt(3) == 0) {
        assertEquals(!expected.get(page), block.add(page));
        expected.set(page);
      } else {
        assertEquals(expected.get(page), block.remove(page));
        expected.clear(page);
      }
      int first = random.nextInt(pages);
      int last = first + random.nextInt(pages - first);
      assertEquals(expected.cardinality(), block.pages());
      assertEquals(!expected.get(first, last + 1).isEmpty(), block.mayHaveAny(first, last));
      assertEquals(expected.get(first), block.mayHave(first));
    }
  }
}
