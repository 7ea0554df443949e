/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.TestingPage;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.junit.Before;
import org.junit.Test;

/** Pages in memory with only some of their parts. */
public class TestMemoryTierParts extends MemoryTierFixture {

  private static final int PAGE = 512 << 10;
  private static final int PART = PAGE / 4;
  private static final int LENGTH = 2 * PAGE - 1000;

  @Before
  @Override
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    directory = folder.newFolder("memory").toPath().toRealPath();
    replica = TestingReplica.create(root, 1, LENGTH);
    block =
        index.register(replica.snapshot(), replica.layout(PAGE), TestingReplica.IDENTITY,
            TestingReplica.SSD).block();
    tier = new MemoryTier(
        new MemoryLimits(directory, 8 << 20, 100), PAGE, buffers, System::nanoTime);
    tier.setOpen(true);
  }

  /** Enters parts. The buffer's other parts must not be kept. */
  private void enter(int page, int parts) {
    PageLayout layout = block.layout();
    TestingPage.add(index, block, page, parts);
    ByteBuffer content = replica.page(layout, page);
    for (int part = 0; part < layout.parts(page); part++) {
      if ((parts >>> part & 1) == 0) {
        content.put(layout.partStart(part), (byte) ~content.get(layout.partStart(part)));
      }
    }
    assertTrue(tier.enter(block, page, parts, content));
  }

  private void assertRight(PageBytes bytes, int page, int from, int to) throws IOException {
    int start = page * PAGE;
    byte[] expected = Arrays.copyOfRange(replica.data(), start + from, start + to);
    ByteBuffer data = ByteBuffer.allocate(to - from);
    bytes.readData(from, data);
    assertEquals(ByteBuffer.wrap(expected), data.flip());
    ByteBuffer sums = ByteBuffer.allocate((to + 511) / 512 * 4 - from / 512 * 4);
    bytes.readChecksums(from / 512 * 4, sums);
    assertEquals(ByteBuffer.wrap(replica.checksums(), (start + from) / 512 * 4, sums.capacity()),
        sums.flip());
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    for (int at = from; at < to;) {
      at += bytes.send(ByteBuffer.allocate(0), at, to - at, Channels.newChannel(sent));
    }
    assertTrue(Arrays.equals(expected, sent.toByteArray()));
  }

  @Test
  public void find_someParts_coversThemAndNoOthers() throws IOException {
    enter(0, 0b0110);
    try (PageBytes found = tier.find(block, 0)) {
      assertTrue(found.covers(PART, 3 * PART));
      assertTrue(found.covers(2 * PART - 1, 2 * PART + 1));
      assertFalse(found.covers(PART - 1, PART + 1));
      assertFalse(found.covers(3 * PART - 1, 3 * PART + 1));
      assertFalse(found.covers(0, PAGE));
      assertRight(found, 0, PART, 3 * PART);
      assertRight(found, 0, 2 * PART - 512, 2 * PART + 512);
    }
  }

  @Test
  public void find_lastPartOfTheBlock_isRight() throws IOException {
    enter(1, 0b1000);
    try (PageBytes found = tier.find(block, 1)) {
      int end = block.layout().dataLength(1);
      assertTrue(found.covers(3 * PART, end));
      assertRight(found, 1, 3 * PART, end);
    }
  }

  @Test
  public void enter_someParts_takesTheirMemoryOnly() {
    enter(0, 0b0101);
    assertEquals(2 * (PART + 4096), tier.usedBytes());
    enter(1, 0b1000);
    assertEquals(3 * (PART + 4096), tier.usedBytes());
  }

  @Test
  public void enter_moreParts_replacesWhatWasThere() throws IOException {
    enter(0, 0b0001);
    PageBytes held = tier.find(block, 0);
    enter(0, 0b1011);
    assertEquals(1, tier.pages());
    assertEquals("both are in memory", 4 * (PART + 4096), tier.usedBytes());
    try (PageBytes found = tier.find(block, 0)) {
      assertTrue(found.covers(0, 2 * PART));
      assertFalse(found.covers(2 * PART, 3 * PART));
      assertRight(found, 0, 0, 2 * PART);
      assertRight(found, 0, 3 * PART, PAGE);
    }
    assertRight(held, 0, 0, PART);
    assertFalse(held.covers(PART, 2 * PART));
    held.close();
    assertEquals(3 * (PART + 4096), tier.usedBytes());
  }

  @Test
  public void isWorthMoving_someParts_secondTouchOfThemIsEnough() {
    TestingPage.add(index, block, 0, 0b0001);
    assertFalse(tier.isWorthMoving(block, 0, PART));
    assertTrue(tier.isWorthMoving(block, 0, PART));
  }

  @Test
  public void enter_partsThatAreNotThere_areNotWritten() throws IOException {
    enter(0, 0b0100);
    try (PageBytes found = tier.find(block, 0)) {
      ByteBuffer hole = ByteBuffer.allocate(PageLayout.ALIGNMENT);
      found.readData(0, hole);
      assertEquals(ByteBuffer.allocate(PageLayout.ALIGNMENT), hole.flip());
    }
  }
}
