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
  private static final int LARGE = 1 << 20;
  private static final int PART = LARGE / PageLayout.MOST_PARTS;
  private static final int[] WORD_EDGES = {0, 1, 6, 7, 8, 9, 15, 16, 62, 63, 64, 191};

  private static CachedBlock largePages(int pages) {
    return block(new BlockIndex(), LARGE, (long) pages * LARGE);
  }

  private static CachedBlock block(int pages) {
    return block(new BlockIndex(), PAGE, (long) pages * PAGE);
  }

  private static CachedBlock block(BlockIndex index, int pageSize, long length) {
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, length);
    return new CachedBlock(index, snapshot,
        new PageLayout(pageSize, TestingReplica.CRC32C, length),
        TestingReplica.IDENTITY.fileId(snapshot), true, TestingReplica.SSD);
  }

  @Test
  public void add_anyPart_marksJustThatPart() {
    for (int page : WORD_EDGES) {
      for (int part = 0; part < PageLayout.MOST_PARTS; part++) {
        CachedBlock block = largePages(192);
        assertTrue(block.add(new TestingPage(page, 1 << part)));
        assertEquals(1 << part, block.parts(page));
        for (int other = 0; other < 192; other++) {
          assertEquals(page + " and " + other, other == page ? 1 << part : 0, block.parts(other));
        }
      }
    }
  }

  @Test
  public void wholePages_onlyThoseWithAllParts() {
    BlockIndex index = new BlockIndex();
    CachedBlock block = block(index, LARGE, LARGE + 2 * PART);
    TestingPage.add(index, block, 0, 0b01111111);
    TestingPage.add(index, block, 1, 0b10);
    assertEquals(2, block.pages());
    assertEquals(0, block.wholePages());
    TestingPage.add(index, block, 0, 0b10000000);
    TestingPage.add(index, block, 1, 0b01);
    assertEquals(2, block.wholePages());
  }

  @Test
  public void has_rangesOfAPage_onlyThoseWhosePartsAreThere() {
    CachedBlock block = largePages(2);
    block.add(new TestingPage(1, 0b0110));
    assertTrue(block.has(1, PART, 3 * PART));
    assertTrue(block.has(1, 2 * PART - 1, 2 * PART + 1));
    assertFalse(block.has(1, PART - 1, PART + 1));
    assertFalse(block.has(1, 3 * PART - 1, 3 * PART + 1));
    assertFalse(block.has(0, PART, 3 * PART));
  }

  @Test
  public void hasAny_rangesThatEndBesideThePart_onlyThoseThatIncludeAByteOfIt() {
    for (int page : WORD_EDGES) {
      for (int part = 0; part < PageLayout.MOST_PARTS; part++) {
        CachedBlock block = largePages(193);
        block.add(new TestingPage(page, 1 << part));
        long from = (long) page * LARGE + part * PART;
        long end = block.layout().blockLength();
        assertTrue(block.hasAny(from, from + 1));
        assertTrue(block.hasAny(from + PART - 1, from + PART));
        assertTrue(block.hasAny(0, from + 1));
        assertTrue(block.hasAny(from + PART - 1, end));
        assertTrue(block.hasAny(0, end));
        assertFalse(block.hasAny(from + PART, end));
        assertFalse(from > 0 && block.hasAny(0, from));
      }
    }
  }

  @Test
  public void kill_anyTime_staysDead() {
    CachedBlock block = block(1);
    assertFalse(block.isDead());
    block.kill();
    block.add(new TestingPage(0, 1));
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
        assertEquals(!expected.get(page), block.add(new TestingPage(page, 1)));
        expected.set(page);
      } else {
        CachedPage known = block.page(page);
        assertFalse("another one of its number", block.remove(new TestingPage(page, 1)));
        assertEquals(expected.get(page), known != null && block.remove(known));
        expected.clear(page);
      }
      int first = random.nextInt(pages);
      int last = first + random.nextInt(pages - first);
      assertEquals(expected.cardinality(), block.pages());
      assertEquals(!expected.get(first, last + 1).isEmpty(), block.hasAny((long) first * PAGE, (long) last * PAGE + 1));
      assertEquals(expected.get(first), block.has(first, 0, PAGE));
    }
  }
}
