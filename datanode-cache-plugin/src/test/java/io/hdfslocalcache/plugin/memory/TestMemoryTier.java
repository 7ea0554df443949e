/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import org.junit.Test;

public class TestMemoryTier extends MemoryTierFixture {

  @Test
  public void find_pageThatEntered_hasItsBytesAndNoName() throws IOException {
    assertTrue(enter(3));
    try (PageBytes found = tier.find(block, 3)) {
      assertRight(3, found);
      assertEquals(PageBytes.Origin.MEMORY, found.origin());
      assertTrue(found.covers(0, PAGE));
    }
    assertFalse(has(4));
    assertEquals(FILE, tier.usedBytes());
    assertEquals(1, tier.pages());
    assertEquals(1, openFiles().size());
    assertTrue(openFiles().get(0), openFiles().get(0).contains("hdfs-local-cache-"
        + ProcessHandle.current().pid()));
    try (var listed = Files.list(directory)) {
      assertEquals("nothing that a crash could leave behind", 0, listed.count());
    }
  }

  @Test
  public void find_otherStateOfTheBlock_isNotTheOldPage() throws IOException {
    enter(0);
    ReplicaSnapshot longer = new ReplicaSnapshot(replica.snapshot().key(),
        replica.snapshot().generationStamp(), replica.snapshot().length() + 1);
    CachedBlock other = new BlockIndex().register(longer,
        TestingReplica.create(folder.newFolder().toPath(), longer, TestingReplica.CRC32C)
            .layout(PAGE), TestingReplica.IDENTITY,
            TestingReplica.SSD).block();
    assertEquals(block.fileId(), other.fileId());
    other.add(block.page(0));
    assertNull(tier.find(other, 0));
    assertFreed();
  }

  @Test
  public void enter_pageThatHasLeftTheSsdOrBlockThatDied_doesNotStay() throws IOException {
    index.pageRemoved(block, block.page(1));
    enter(1);
    assertFalse(has(1));
    assertFreed();
    index.discard(block);
    enter(2);
    assertFalse(has(2));
    assertFreed();
  }

  @Test
  public void remove_pageThatIsNotTrueAnyMore_freesItWhenItsReaderHasEnded() throws IOException {
    enter(0);
    PageBytes held = tier.find(block, 0);
    tier.remove(block.page(0));
    assertNull(tier.find(block, 0));
    assertEquals("its reader still has its memory", FILE, tier.usedBytes());
    assertRight(0, held);
    PageBytes shared = held.share();
    held.close();
    assertRight(0, shared);
    shared.close();
    assertFreed();
  }

  /** Clients that stop reading hold pages, while others want the memory and the blocks change. */
  @Test
  public void enter_readersHoldAllMemory_isRefusedUntilOneLetsGo() throws IOException {
    List<PageBytes> held = new ArrayList<>();
    for (int page = 0; page < 32; page++) {
      assertTrue(enter(page));
      held.add(tier.find(block, page));
      if (page % 2 == 0) {
        tier.remove(block.page(page));
      }
    }
    for (int page = 32; page < BLOCK_PAGES; page++) {
      assertFalse(enter(page));
      assertEquals(32, openFiles().size());
      assertEquals(tier.capacityBytes(), tier.usedBytes());
    }
    assertEquals("what is read does not leave in vain", 16, tier.pages());
    held.remove(31).close();
    assertTrue("from a page that nobody reads now", enter(100));
    assertFalse(has(31));
    held.remove(0).close();
    assertTrue("from one that had left before", enter(101));
    assertTrue(has(100));
    assertTrue(has(101));
    held.forEach(PageBytes::close);
  }

  @Test
  public void enter_readersHoldAllFiles_isRefusedUntilOneLetsGo() throws IOException {
    tier.close();
    open(32, 4);
    List<PageBytes> held = new ArrayList<>();
    for (int page = 0; page < 4; page++) {
      assertTrue(enter(page));
      held.add(tier.find(block, page));
    }
    assertFalse(enter(4));
    tier.setOpen(false);
    tier.setOpen(true);
    assertFalse(enter(4));
    held.forEach(PageBytes::close);
    assertTrue(enter(4));
  }

  @Test
  public void enter_otherUserTakesTheNamesThatAreNext_goesOn() throws IOException {
    enter(0);
    String name = Path.of(openFiles().get(0)).getFileName().toString();
    Matcher number = Pattern.compile("(.*?)(\\d+) \\(deleted\\)").matcher(name);
    if (number.matches()) {
      for (int next = 1; next <= 20; next++) {
        Files.createFile(directory.resolve(
            number.group(1) + (Long.parseLong(number.group(2)) + next)));
      }
    }
    assertTrue(enter(1));
  }

  @Test
  public void enter_scan_doesNotFlushWhatIsReadOften() throws IOException {
    for (int round = 0; round < 20; round++) {
      for (int page = 0; page < 16; page++) {
        if (!has(page)) {
          enter(page);
        }
      }
    }
    for (int page = 16; page < BLOCK_PAGES; page++) {
      enter(page);
    }
    int left = 0;
    for (int page = 0; page < 16; page++) {
      left += has(page) ? 1 : 0;
    }
    assertTrue("left: " + left, left >= 14);
  }

  @Test
  public void setOpen_off_freesAllButWhatIsBeingRead() throws IOException {
    enter(0);
    enter(1);
    PageBytes held = tier.find(block, 0);
    tier.setOpen(false);
    assertEquals(FILE, tier.usedBytes());
    assertEquals(1, openFiles().size());
    assertRight(0, held);
    held.close();
    assertFreed();
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    enter(0);
    assertNull("off", tier.find(block, 0));
    assertFreed();
    tier.setOpen(true);
    enter(0);
    assertTrue(has(0));
  }

  @Test
  public void setOpen_noCapacity_staysOff() throws IOException {
    tier.close();
    open(0, 0);
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    assertNull(tier.find(block, 0));
    assertEquals(0, tier.capacityBytes());
  }
}
