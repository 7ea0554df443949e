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

/** What must hold in whatever order threads take their turns. */
public class TestInterleavings {

  private static final int INTERLEAVINGS = 1000;
  private static final long BYTES = 10;

  /** Bytes written while one limiter takes the place of another are charged to either. */
  @Test
  public void exchange_whileAPageIsWritten_accountHasIt() {
    Lincheck.runConcurrentTest(INTERLEAVINGS, () -> {
      AtomicLong saved = new AtomicLong();
      SafeRateLimiter limiter = new SafeRateLimiter(new Account(), () -> 0);
      limiter.restore(new Saved(saved));
      Thread writer = new Thread(() -> limiter.written(BYTES));
      writer.start();
      limiter.exchange(new Account());
      join(writer);
      limiter.close();
      require(BYTES, saved.get());
    });
  }

  /** The first reads after so long that everything in the table is cleared. */
  @Test
  public void firstReads_afterTheTableIsTooOld_areAllCounted() {
    Lincheck.runConcurrentTest(INTERLEAVINGS, () -> {
      CountedReads rules = new CountedReads(10, 10);
      BlockTable table = new BlockTable(rules, 4);
      AtomicLong now = new AtomicLong();
      Minutes minutes = new Minutes(now::get, 1, table::passing);
      table.add(1, minutes.toCountIn());
      now.set(10_000);
      Thread other = new Thread(() -> table.add(2, minutes.toCountIn()));
      other.start();
      table.add(3, minutes.toCountIn());
      join(other);
      require(0, reads(rules, table, 1, minutes));
      require(1, reads(rules, table, 2, minutes));
      require(1, reads(rules, table, 3, minutes));
    });
  }

  /** Two threads bring the same new block, whose slot is free or has a block that is too old. */
  @Test
  public void firstReads_ofOneBlockByTwoThreads_areBothCounted() {
    for (int old : new int[] {0, BlockTable.WAYS - 1}) {
      Lincheck.runConcurrentTest(INTERLEAVINGS, () -> {
        CountedReads rules = new CountedReads(10, 10);
        // One bucket.
        BlockTable table = new BlockTable(rules, 4);
        for (int block = 0; block < old; block++) {
          table.add(100 + block, 0);
        }
        Thread other = new Thread(() -> table.add(7, 20));
        other.start();
        table.add(7, 20);
        join(other);
        long state = table.state(7);
        require(2, rules.reads(table.history(state), table.age(state, 20)));
        require(0, table.forgotten());
      });
    }
  }

  private static long reads(CountedReads rules, BlockTable table, long key, Minutes minutes) {
    long state = table.state(key);
    return rules.reads(table.history(state), table.age(state, minutes.toDecideBy()));
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

  /** Counts what is written, and keeps it from one to the next. */
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

  /** In place of a file: no I/O may be done in such a check. */
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
