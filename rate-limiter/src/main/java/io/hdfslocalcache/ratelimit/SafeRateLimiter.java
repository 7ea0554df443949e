/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The rate limiter in use: one that may give way to another while reads go on, and whose errors
 * reach no client.
 *
 * <p>A read that could not be counted is not counted, and a block that could not be decided on is
 * not admitted, so the read proceeds from the HDD. (The paper's requirement: "any error internal to
 * rate limiter should not fail DataNode read".) Every {@link Throwable} is contained, without
 * exception. That includes the errors that are commonly let through: a {@link StackOverflowError}
 * and a {@link LinkageError} are faults of the limiter, and so is the {@link OutOfMemoryError} of a
 * table it could not enlarge. A heap that really is exhausted shows itself at the next allocation of
 * the read, and the JVM's own options for that case act when the error is made, caught or not.
 * Errors are counted, and logged at most once a minute.
 *
 * <p>One limiter gives way to another in {@link #exchange}. Reads take no lock and wait for nobody.
 * What is written while the one's account is handed to the other is charged to the other.
 */
public final class SafeRateLimiter implements CacheRateLimiter {
  private static final long LOG_INTERVAL_MILLIS = 60_000;

  private record State(CacheRateLimiter limiter, EarlierReads earlier) {
  }

  private final RateLimiterClock clock;
  private final Logger logger;
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong lastLogged = new AtomicLong(Long.MIN_VALUE);
  private final AtomicReference<State> state;
  /** Who charges what was written reads; who changes the account writes, and waits for nothing then. */
  private final ReentrantReadWriteLock accounting = new ReentrantReadWriteLock();
  private int ssds;
  private long capacity;
  private StateFile file;

  /**
   * Takes a limiter into use.
   *
   * @param first the limiter, until another takes its place
   * @param clock tells when the last log line is a minute old, and when reads are
   */
  public SafeRateLimiter(CacheRateLimiter first, RateLimiterClock clock) {
    this(first, clock, System.getLogger(SafeRateLimiter.class.getName()));
  }

  SafeRateLimiter(CacheRateLimiter first, RateLimiterClock clock, Logger logger) {
    this.state = new AtomicReference<>(new State(first, EarlierReads.NONE));
    this.clock = clock;
    this.logger = logger;
  }

  /**
   * Puts another limiter in the place of the present one, which is closed. When both tell for how
   * long reads matter, a block that is read or asked about for the first time since has the reads
   * that the earlier one still counts of it.
   *
   * @return whether reads that were counted so far go on to count
   */
  public synchronized boolean exchange(CacheRateLimiter next) {
    return alone(() -> {
      State before = state.get();
      long life = before.limiter.readLifeMillis();
      boolean carried = life > 0 && next.readLifeMillis() > 0;
      next.capacity(ssds, capacity);
      // Its account is saved, and goes on from what was saved.
      before.limiter.close();
      if (file != null) {
        next.restore(file);
      }
      state.set(new State(next, carried
          ? before.earlier.and(before.limiter, clock.millis() + life) : EarlierReads.NONE));
      return carried;
    });
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
      // The read may have been counted by the one before.
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
  public boolean mayWrite() {
    return guarded(() -> state.get().limiter.mayWrite(), false);
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
    return guarded(() -> state.get().limiter.metrics(), Map.of());
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

  /** A value that is not allowed is the caller's fault and not the limiter's: it is passed on. */
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

  /** @return how many calls of limiters failed so far. */
  public long errors() {
    return errors.get();
  }

  /** For calls that are not made for every read: those make no objects. */
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
    long count = errors.incrementAndGet();
    try {
      if (mayLogNow()) {
        logger.log(Level.WARNING, "Rate limiter " + state.get().limiter.getClass().getName()
            + " failed, " + count + " times so far: the reads proceed, their blocks are not "
            + "admitted", t);
      }
    } catch (Throwable whileLogging) {
      // Logging is the one thing left to do; without it the count has to do.
    }
  }

  private boolean mayLogNow() {
    long now = clock.millis();
    long last = lastLogged.get();
    boolean due = last == Long.MIN_VALUE || now - last >= LOG_INTERVAL_MILLIS;
    return due && lastLogged.compareAndSet(last, now);
  }
}
