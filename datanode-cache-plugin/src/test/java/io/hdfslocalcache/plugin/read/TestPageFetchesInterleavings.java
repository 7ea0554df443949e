/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.Interleavings;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;

/**
 * Readers that want the same bytes of a replica at the same time, in many interleavings. They
 * cannot wait: they give up on bytes that no other has read yet. Lincheck stops the clock, so a
 * timed wait would never end.
 */
public class TestPageFetchesInterleavings {

  private static final int ORDERS = 100;
  private static final int LENGTH = 4096;
  private static final ReplicaSnapshot SNAPSHOT =
      new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, LENGTH);
  private static final DataChecksum CHECKSUM = TestingReplica.CRC32C;
  private static final PageLayout LAYOUT = new PageLayout(LENGTH, CHECKSUM, LENGTH);
  private static final PageSlice SLICE = PageSlice.whole(LAYOUT, 0);
  private static final byte[] DATA = new byte[LENGTH];
  /** All that a visit reads: Lincheck takes a loop of more than 50 rounds for one that hangs. */
  private static final byte[] READ = new byte[SLICE.bufferLength()];

  static {
    Arrays.fill(DATA, (byte) 7);
    byte[] sums = new byte[LENGTH / 512 * 4];
    CHECKSUM.calculateChunkedSums(DATA, 0, LENGTH, sums, 0);
    ByteBuffer buffer = ByteBuffer.wrap(READ);
    SLICE.data(buffer).put(DATA);
    SLICE.tail(buffer, 0).put(sums);
    SLICE.seal(buffer, 0, SNAPSHOT, newBlock().fileId());
    try {
      // Its tables are made once.
      SLICE.verify(buffer, SLICE.parts(), SNAPSHOT, newBlock().fileId());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static CachedBlock newBlock() {
    return new BlockIndex().register(
        SNAPSHOT, LAYOUT, TestingReplica.IDENTITY, TestingReplica.SSD).block();
  }

  /** A replica, and its readers. */
  private static final class World {
    private final BufferPool buffers = new BufferPool(1 << 20);
    private final PageFetches fetches = new PageFetches(buffers, null);
    private final CachedBlock block = newBlock();
    private final AtomicInteger visits = new AtomicInteger();
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final int failures;
    private final Executor thread;

    /**
     * @param failures visits that fail, the first ones
     * @param thread makes the visits
     */
    World(int failures, Executor thread) {
      this.failures = failures;
      this.thread = thread;
    }

    /** Reads the block, in a visit of its own or with another one's. */
    void read() {
      WaitBudget budget = new WaitBudget(-WaitBudget.longest(0, LENGTH), () -> 0, bytes -> 0);
      try (PageBytes bytes = fetches.readThrough(
          block, SLICE, 0, LENGTH, LENGTH, budget, new Visit(this), thread)) {
        ByteBuffer data = ByteBuffer.allocate(LENGTH);
        bytes.readData(0, data);
        assertEquals("right bytes", ByteBuffer.wrap(DATA), data.flip());
        readers.incrementAndGet();
      } catch (IOException e) {
        // It gave up, or the visit failed: the read goes on from the replica.
      }
    }

    void assertNothingIsLeft() {
      assertEquals("ends of visits", visits.get(), ends.get());
      assertEquals("bytes in use", 0, buffers.inUseBytes());
      int before = visits.get();
      read();
      assertEquals("who comes later visits by itself", before + 1, visits.get());
    }
  }

  private record Visit(World world) implements PageFetches.Visit {

    @Override
    public void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException {
      if (world.visits.incrementAndGet() <= world.failures) {
        throw new IOException("a bad sector");
      }
      buffer.duplicate().put(READ);
    }

    @Override
    public void done(PageSlice slice, ByteBuffer buffer, Runnable end) {
      world.ends.incrementAndGet();
      end.run();
    }

    @Override
    public void failed(Throwable why) {
      if (!(why instanceof PageNotReadException)) {
        world.ends.incrementAndGet();
      }
    }
  }

  @Test
  public void readThrough_atOnce_rightBytesAndNothingIsLeft() {
    Interleavings.check(ORDERS, () -> {
      World world = new World(0, Runnable::run);
      Interleavings.together(world::read, world::read);
      assertTrue("those who visit get it", world.readers.get() >= world.visits.get());
      world.assertNothingIsLeft();
    });
  }

  @Test
  public void readThrough_firstVisitFails_nobodyGetsWrongBytesAndNothingIsLeft() {
    Interleavings.check(ORDERS, () -> {
      World world = new World(1, Runnable::run);
      Interleavings.together(world::read, world::read);
      assertTrue(world.readers.get() <= 1);
      world.assertNothingIsLeft();
    });
  }

  @Test
  public void readThrough_readersGiveUpWhileAThreadOfTheVolumeReads_nothingIsLeft() {
    Interleavings.check(ORDERS, () -> {
      ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
      World world = new World(0, task -> {
        Thread thread = new Thread(task);
        threads.add(thread);
        thread.start();
      });
      Interleavings.together(world::read, world::read);
      join(threads);
      assertEquals("ends of visits", world.visits.get(), world.ends.get());
      assertEquals("bytes in use", 0, world.buffers.inUseBytes());
    });
  }

  private static void join(Iterable<Thread> threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
