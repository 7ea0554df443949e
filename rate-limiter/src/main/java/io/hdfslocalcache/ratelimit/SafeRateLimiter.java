/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The rate limiter in use. It can be replaced while reads continue, and its errors do not reach
 * clients.
 *
 * <p>A read that could not be counted is not counted, and a block that could not be decided on is
 * not admitted, so the read proceeds from the HDD. (The paper's requirement: "any error internal to
 * rate limiter should not fail DataNode read".) Every {@link Throwable} is caught, including errors
 * that are usually passed on: a {@link StackOverflowError} or {@link LinkageError} is a fault of
 * the limiter, and so is the {@link OutOfMemoryError} of a table that it could not enlarge. If the
 * heap is really exhausted, the read's next allocation fails, and the JVM's options for that case
 * act when the error is created, caught or not.
 *
 * <p>{@link #exchange} replaces the limiter. Reads take no lock and never wait. Bytes written while
 * the account is handed over are charged to the new limiter.
 */
public final class SafeRateLimiter implements CacheRateLimiter {

  private record State(CacheRateLimiter limiter, EarlierReads earlier) {
  }

  private final RateLimiterClock clock;
  private final Consumer<Throwable> failed;
  private final AtomicReference<State> state;
  /** The read lock charges written bytes; the write lock changes the account, without waiting. */
  private final ReentrantReadWriteLock accounting = new ReentrantReadWriteLock();
  private int ssds;
  private long capacity;
  private StateFile file;

  /**
   * Starts with a limiter.
   *
   * @param first the limiter, until it is replaced
   * @param clock the clock for the age of reads
   * @param failed is told each error of a limiter; must not wait
   */
  public SafeRateLimiter(
      CacheRateLimiter first, RateLimiterClock clock, Consumer<Throwable> failed) {
    this.state = new AtomicReference<>(new State(first, EarlierReads.NONE));
    this.clock = clock;
    this.failed = failed;
  }

  /**
   * Replaces the present limiter, and closes it. If both limit how long reads matter, a block
   * starts with the reads that the earlier limiter still counts when it is first read or asked
   * about. If an error is thrown, the present one stays.
   *
   * @return whether the reads counted so far continue to count
   */
  public synchronized boolean exchange(CacheRateLimiter next) {
    return alone(() -> {
      State before = state.get();
      // Afterwards, no read of before matters to the next one.
      long life = Math.min(before.limiter.readLifeMillis(), next.readLifeMillis());
      boolean carried = life > 0;
      next.capacity(ssds, capacity);
      State after = new State(next, carried
          ? before.earlier.and(before.limiter, clock.millis() + life) : EarlierReads.NONE);
      // Saves its account, from which the next one continues.
      Runnable close = before.limiter::close;
      Runnable restore = () -> restore(next);
      // From here on there is no way back: the next one is used, whatever fails.
      guarded(close);
      guarded(restore);
      state.set(after);
      return carried;
    });
  }

  private void restore(CacheRateLimiter next) {
    if (file != null) {
      next.restore(file);
    }
  }

  /** While nobody charges what was written. */
  private <T> T alone(Supplier<T> change) {
    accounting.writeLock().lock();
    try {
      return change.get();
    } finally {
      accounting.writeLock().unlock();
    }
  }

  /** @return the limiter in use, after it was told what earlier ones know of a block. */
  private CacheRateLimiter knowing(String blockPoolId, long blockId) {
    State now = state.get();
    if (now.earlier != EarlierReads.NONE) {
      if (now.earlier.isOver(clock.millis())) {
        state.compareAndSet(now, new State(now.limiter, EarlierReads.NONE));
      } else {
        now.earlier.carryOver(now.limiter, blockPoolId, blockId);
      }
    }
    return now.limiter;
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    record(blockPoolId, blockId, 0, bytes);
  }

  @Override
  public void record(String blockPoolId, long blockId, long from, long bytes) {
    try {
      knowing(blockPoolId, blockId).record(blockPoolId, blockId, from, bytes);
    } catch (Throwable t) {
      contain(t);
    }
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    try {
      // The earlier limiter may have counted the read.
      return knowing(blockPoolId, blockId).admits(blockPoolId, blockId);
    } catch (Throwable t) {
      contain(t);
      return false;
    }
  }

  @Override
  public boolean admits(String blockPoolId, long blockId, int page) {
    try {
      return state.get().limiter.admits(blockPoolId, blockId, page);
    } catch (Throwable t) {
      contain(t);
      return false;
    }
  }

  @Override
  public boolean wasMissedBefore(String blockPoolId, long blockId, int page) {
    return guarded(
        () -> state.get().limiter.wasMissedBefore(blockPoolId, blockId, page), true);
  }

  @Override
  public boolean admitsByRule() {
    return guarded(() -> state.get().limiter.admitsByRule(), false);
  }

  @Override
  public long heapBytes() {
    return guarded(() -> state.get().limiter.heapBytes(), 0L);
  }

  @Override
  public boolean mayWrite(long ahead) {
    return guarded(() -> state.get().limiter.mayWrite(ahead), false);
  }

  @Override
  public boolean isBudgetSpent() {
    return guarded(() -> state.get().limiter.isBudgetSpent(), true);
  }

  @Override
  public void written(long bytes) {
    accounting.readLock().lock();
    try {
      guarded(() -> state.get().limiter.written(bytes));
    } finally {
      accounting.readLock().unlock();
    }
  }

  @Override
  public void capacity(int number, long bytes) {
    alone(() -> {
      ssds = number;
      capacity = bytes;
      guarded(() -> state.get().limiter.capacity(number, bytes));
      return null;
    });
  }

  @Override
  public void evicted(String blockPoolId, long blockId, int page) {
    guarded(() -> knowing(blockPoolId, blockId).evicted(blockPoolId, blockId, page));
  }

  @Override
  public synchronized void restore(StateFile newFile) {
    file = newFile;
    guarded(() -> state.get().limiter.restore(newFile));
  }

  @Override
  public Map<String, Long> metrics() {
    return guarded(() -> new TreeMap<>(state.get().limiter.metrics()), Map.of());
  }

  @Override
  public Set<String> counters() {
    return guarded(() -> state.get().limiter.counters(), Set.of());
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    return guarded(() -> knowing(blockPoolId, blockId).accesses(blockPoolId, blockId), -1L);
  }

  @Override
  public boolean wouldAdmit(String blockPoolId, long blockId) {
    return guarded(() -> knowing(blockPoolId, blockId).wouldAdmit(blockPoolId, blockId), false);
  }

  @Override
  public String holdsBack() {
    return guarded(() -> state.get().limiter.holdsBack(), "the rate limiter failed");
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    return guarded(() -> knowing(blockPoolId, blockId).explain(blockPoolId, blockId),
        "the rate limiter failed");
  }

  @Override
  public long readLifeMillis() {
    return guarded(() -> state.get().limiter.readLifeMillis(), 0L);
  }

  /** A value that is not allowed is the caller's error and not the limiter's, so it is thrown. */
  @Override
  public boolean reconfigure(RateLimiterConfig config) {
    try {
      return alone(() -> state.get().limiter.reconfigure(config));
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (Throwable t) {
      contain(t);
      return false;
    }
  }

  @Override
  public void close() {
    alone(() -> {
      guarded(() -> state.get().limiter.close());
      return null;
    });
  }

  /** For calls that are not made for every read, because it creates objects. */
  private <T> T guarded(Supplier<T> call, T otherwise) {
    try {
      return call.get();
    } catch (Throwable t) {
      contain(t);
      return otherwise;
    }
  }

  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable t) {
      contain(t);
    }
  }

  private void contain(Throwable t) {
    try {
      failed.accept(t);
    } catch (Throwable whileTelling) {
      // The read goes on all the same.
    }
  }
}
