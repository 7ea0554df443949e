/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.time.TimeAndThreads;
import org.junit.Test;

public class TestPageFetches extends PageFetchesFixture {

  @Test
  public void get_manyReadersOfTheSamePage_areOneRead() throws Exception {
    holdTheSsd();
    List<Reader> readers = readers(20);
    released.countDown();
    PageBytes first = readers.get(0).result().get();
    long oneBuffer = buffers.inUseBytes();
    for (Reader reader : readers) {
      assertSame(first, reader.result().get());
    }
    assertEquals(oneBuffer, buffers.inUseBytes());
    assertTrue("room for one page", oneBuffer < 2 * PAGE);
    for (Reader reader : readers) {
      assertRight(reader.result().get(), 0, 0, PAGE);
      reader.result().get().close();
    }
    assertEquals(0, buffers.inUseBytes());
  }

  @Test
  public void get_someReadersGiveUp_othersGetTheirBytes() throws Exception {
    holdTheSsd();
    List<Reader> readers = readers(6);
    // Includes the reader that began the read.
    for (int i = 0; i < 6; i += 2) {
      Reader reader = readers.get(i);
      reader.thread().interrupt();
      ExecutionException e = assertThrows(ExecutionException.class, reader.result()::get);
      assertEquals(SsdUnavailableException.class, e.getCause().getClass());
    }
    released.countDown();
    for (int i = 1; i < 6; i += 2) {
      try (PageBytes bytes = readers.get(i).result().get()) {
        assertRight(bytes, 0, 0, PAGE);
      }
    }
    assertEquals(0, buffers.inUseBytes());
  }

  @Test
  public void get_allReadersGiveUp_nothingIsReadAndTheNextReadIsGood() throws Exception {
    holdTheSsd();
    for (Reader reader : readers(3)) {
      reader.thread().interrupt();
      assertThrows(ExecutionException.class, reader.result()::get);
    }
    Files.delete(ssd.pageFile(block, 0));
    released.countDown();
    try (PageBytes bytes = getAll(1)) {
      assertRight(bytes, 1, 0, PAGE);
    }
    assertEquals(SsdState.NORMAL, ssd.directory().io().health().state());
    ssd.mayFail();
    assertThrows(DamagedPageException.class, () -> getAll(0));
  }

  @Test
  public void get_smallRange_readsItsChunksOnly() throws Exception {
    try (PageBytes bytes = get(0, UNIT + 1000, UNIT + 1001)) {
      int chunk = (UNIT + 1000) / 512 * 512;
      assertTrue(bytes.covers(chunk, chunk + 512));
      assertFalse(bytes.covers(chunk - 1, chunk));
      assertFalse(bytes.covers(chunk, chunk + 513));
      assertRight(bytes, 0, UNIT + 512, UNIT + 1024);
      assertEquals("with the tail of its part", 2 * 4096, buffers.inUseBytes());
    }
  }

  @Test
  public void get_readerWantsMore_isReadAtOnce() throws Exception {
    try (PageBytes bytes = fetches.await(
        fetches.begin(ssd.directory(), block, 0, 0, 512, 3 * UNIT), 0, 3 * UNIT,
        Budgets.ample())) {
      assertTrue(bytes.covers(0, 3 * UNIT));
      assertFalse(bytes.covers(0, PAGE));
    }
  }

  @Test
  public void get_runningReadHasLess_isAReadOfItsOwn() throws Exception {
    holdTheSsd();
    Reader small = reader(0, 0, 1024);
    Reader all = reader(0, 0, PAGE);
    Reader inAll = reader(0, UNIT + 100, UNIT + 1000);
    released.countDown();
    assertFalse(small.result().get().covers(0, PAGE));
    assertSame(all.result().get(), inAll.result().get());
    for (Reader reader : List.of(small, all, inAll)) {
      assertRight(reader.result().get(), 0, 512, 1000);
      reader.result().get().close();
    }
  }

  @Test
  public void get_pageThatIsNotThere_isNotRead() throws Exception {
    ssd.directory().pages().removePage(block.page(0));
    assertThrows(PageNotReadException.class, () -> getAll(0));
  }

  @Test
  public void get_allBuffersInUse_isNotRead() {
    fetches = new PageFetches(new BufferPool(PAGE), memory);
    assertThrows(PageNotReadException.NoBuffer.class, () -> getAll(0));
  }

  @Test
  public void get_pageIsBeingWrittenToAHungTmpfs_ssdIsReadAllTheSame() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    MemoryTier hung = new MemoryTier(new MemoryLimits(root.resolve("missing"), 4 << 20, 100), PAGE,
        buffers, () -> {
          // When it is made, after each of two reads, and when the page cannot be written.
          if (asked.incrementAndGet() == 4) {
            hangs.countDown();
            awaitRelease();
          }
          return 0;
        });
    hung.setOpen(true);
    fetches = new PageFetches(buffers, hung);
    getAll(0).close();
    getAll(0).close();
    hangs.await();
    for (int page = 0; page < 3; page++) {
      try (PageBytes bytes = getAll(page)) {
        assertRight(bytes, page, 0, block.layout().dataLength(page));
      }
    }
    assertEquals(SsdState.NORMAL, ssd.directory().io().health().state());
  }

  @Test
  public void get_noThreadMovesThePage_itsBufferIsGivenBack() throws Exception {
    MemoryTier tier = NoThreads.during(
        () -> new MemoryTier(new MemoryLimits(root, 4 << 20, 100), PAGE, buffers, () -> 0));
    tier.setOpen(true);
    fetches = new PageFetches(buffers, tier);
    getAll(0).close();
    getAll(0).close();
    awaitNoBuffers();
    assertEquals(0, tier.pages());
  }

  /** A process that has all the threads it may have. */
  private static final class NoThreads extends TimeAndThreads {

    static MemoryTier during(Supplier<MemoryTier> making) {
      TimeAndThreads before = replace(new NoThreads());
      try {
        return making.get();
      } finally {
        replace(before);
      }
    }

    @Override
    public Thread newThread(Runnable task) {
      throw new OutOfMemoryError("unable to create native thread: thrown by a test");
    }
  }
}
