/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Test;

/** What is read from an SSD again and again is moved into memory, and only if it is sound. */
public class TestMovesIntoMemory extends PageFetchesFixture {

  @Test
  public void get_wholePageAgain_movesIntoMemory() throws Exception {
    memory.setOpen(true);
    getAll(0).close();
    getAll(1).close();
    assertNull(memory.find(block, 0));
    getAll(0).close();
    LocalCacheCluster.await("the page is in memory", () -> memory.pages() == 1);
    try (PageBytes bytes = memory.find(block, 0)) {
      assertRight(bytes, 0, 0, PAGE);
    }
    awaitNoBuffers();
  }

  @Test
  public void get_smallRangesOfAPage_moveAllOfItIntoMemoryAfterAFew() throws Exception {
    memory.setOpen(true);
    get(0, 0, 512).close();
    get(0, 2 * UNIT, 2 * UNIT + 512).close();
    assertEquals(0, memory.pages());
    get(0, UNIT, UNIT + 512).close();
    LocalCacheCluster.await("the page is in memory", () -> memory.pages() == 1);
    try (PageBytes bytes = memory.find(block, 0)) {
      assertRight(bytes, 0, 0, PAGE);
    }
    awaitNoBuffers();
  }

  @Test
  public void get_pageIsDamagedWhereNobodyReads_doesNotMove() throws Exception {
    memory.setOpen(true);
    try (FileChannel file =
        FileChannel.open(ssd.pageFile(block, 0), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), PAGE - 10);
    }
    for (int i = 0; i < 3; i++) {
      get(0, 0, 512).close();
    }
    // Behind whatever the readers have left to be done.
    getAll(1).close();
    assertEquals(0, memory.pages());
    assertEquals(0, buffers.inUseBytes());
  }

  @Test
  public void get_offMeanwhile_doesNotMove() throws Exception {
    memory.setOpen(true);
    getAll(0).close();
    holdTheSsd();
    Reader reader = reader(0, 0, PAGE);
    memory.setOpen(false);
    released.countDown();
    reader.result().get().close();
    getAll(1).close();
    assertEquals(0, memory.usedBytes());
    assertEquals(0, buffers.inUseBytes());
  }
}
