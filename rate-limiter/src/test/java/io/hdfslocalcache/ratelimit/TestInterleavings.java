/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.jetbrains.lincheck.Lincheck;
import org.junit.Test;

/** What must hold in every interleaving of threads. */
public class TestInterleavings {

  private static final int INTERLEAVINGS = 1000;
  private static final long BYTES = 10;
  private static final String POOL = "BP-1";
  private static final int NEW = 7;
  private static final int OLD = 100;
  private static final int NOW = 20;

  /** Bytes written while a limiter is replaced are charged to the old or to the new one. */
  @Test
  public void exchange_whileAPageIsWritten_accountHasIt() {
    Lincheck.runConcurrentTest(INTERLEAVINGS, () -> {
      AtomicLong saved = new AtomicLong();
      AtomicLong errors = new AtomicLong();
      SafeRateLimiter limiter = new SafeRateLimiter(
          new Account(), () -> 0, error -> errors.incrementAndGet());
      limiter.restore(new Saved(saved));
      Thread writer = new Thread(() -> limiter.written(BYTES));
      writer.start();
      limiter.exchange(new Account());
      join(writer);
      limiter.close();
      require(BYTES, saved.get());
      require(0, errors.get());
    });
  }

  /** The first reads after a pause so long that the whole table is cleared. */
  @Test
  public void firstReads_afterTheTableIsTooOld_areAllCounted() {
    Lincheck.runConcurrentTest(INTERLEAVINGS, () -> {
      TestingClock clock = new TestingClock();
      BlockTable table = table(clock);
      read(table, 1);
      clock.setMinute(10_000);
      Thread other = new Thread(() -> read(table, 2));
      other.start();
      read(table, 3);
      join(other);
      require(0, reads(table, 1));
      require(1, reads(table, 2));
      require(1, reads(table, 3));
    });
  }

  /** Two threads bring the same new block, whose slot is free or has a block that is too old. */
  @Test
  public void firstReads_ofOneBlockByTwoThreads_areBothCounted() {
    for (int old : new int[] {0, BlockTable.WAYS - 1}) {
      Lincheck.runConcurrentTest(INTERLEAVINGS, () -> {
        BlockTable table = bucketOf(old);
        Thread other = new Thread(() -> read(table, NEW));
        other.start();
        read(table, NEW);
        join(other);
        require(2, reads(table, NEW));
        require(0, table.forgotten());
      });
    }
  }

  /** They are read while a new block looks for a slot among theirs. */
  @Test
  public void reads_ofOldBlocks_areAllCounted() {
    Lincheck.runConcurrentTest(INTERLEAVINGS, () -> {
      BlockTable table = bucketOf(BlockTable.WAYS);
      Thread others = new Thread(() -> {
        // All but the last, so that there is room for the new one.
        for (int block = 0; block < BlockTable.WAYS - 1; block++) {
          read(table, OLD + block);
        }
      });
      others.start();
      read(table, NEW);
      join(others);
      require(1, reads(table, NEW));
      for (int block = 0; block < BlockTable.WAYS - 1; block++) {
        require(1, reads(table, OLD + block));
      }
      require(0, table.forgotten());
    });
  }

  /** @return a table of one bucket with so many blocks whose reads are too old to matter now. */
  private static BlockTable bucketOf(int old) {
    TestingClock clock = new TestingClock();
    BlockTable table = table(clock);
    for (int block = 0; block < old; block++) {
      read(table, OLD + block);
    }
    clock.setMinute(NOW);
    return table;
  }

  private static BlockTable table(TestingClock clock) {
    return new BucketTimeRateLimit.Window(10, 10, 4, clock);
  }

  private static void read(BlockTable table, int block) {
    table.record(POOL, block, 0, 1);
  }

  private static long reads(BlockTable table, int block) {
    return (long) table.reads(POOL, block);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void require(long expected, long actual) {
    if (actual != expected) {
      throw new IllegalStateException("expected " + expected + ", but was " + actual);
    }
  }

  /** Counts bytes written, and hands the count to the next one. */
  private static final class Account implements CacheRateLimiter {
    private StateFile file;
    private long written;
    private boolean closed;

    @Override
    public void record(String blockPoolId, long blockId, long bytes) {
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      return true;
    }

    @Override
    public synchronized void written(long bytes) {
      written += closed ? 0 : bytes;
    }

    @Override
    public synchronized void restore(StateFile state) {
      file = state;
      try {
        written += state.load().get(0).get("Written");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public synchronized void close() {
      closed = true;
      file.save(Map.of("Written", written));
    }
  }

  /** Replaces a file: no I/O may be done in such a check. */
  private record Saved(AtomicLong written) implements StateFile {

    @Override
    public List<Map<String, Long>> load() {
      return List.of(Map.of("Written", written.get()));
    }

    @Override
    public CompletableFuture<Void> save(Map<String, Long> values) {
      written.set(values.get("Written"));
      return CompletableFuture.completedFuture(null);
    }
  }
}
