/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps what goes wrong inside a rate limiter away from client reads: a read that could not be
 * counted is not counted, and a block that could not be decided on is not admitted, so the read
 * proceeds from the HDD. (The paper's requirement: "any error internal to rate limiter should not
 * fail DataNode read".)
 *
 * <p>Every {@link Throwable} is contained, without exception. That includes the errors that are
 * commonly let through: a {@link StackOverflowError} and a {@link LinkageError} are faults of the
 * limiter, and so is the {@link OutOfMemoryError} of a table it could not enlarge. A heap that
 * really is exhausted shows itself at the next allocation of the read, and the JVM's own options
 * for that case act when the error is made, caught or not.
 *
 * <p>Errors are counted, and logged at most once a minute.
 */
public final class SafeRateLimiter implements CacheRateLimiter {
  private static final long LOG_INTERVAL_MILLIS = 60_000;

  private final CacheRateLimiter limiter;
  private final RateLimiterClock clock;
  private final Logger logger;
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong lastLogged = new AtomicLong(Long.MIN_VALUE);

  /**
   * Wraps a limiter.
   *
   * @param limiter the limiter whose errors are contained
   * @param clock tells when the last log line is a minute old
   */
  public SafeRateLimiter(CacheRateLimiter limiter, RateLimiterClock clock) {
    this(limiter, clock, System.getLogger(SafeRateLimiter.class.getName()));
  }

  SafeRateLimiter(CacheRateLimiter limiter, RateLimiterClock clock, Logger logger) {
    this.limiter = limiter;
    this.clock = clock;
    this.logger = logger;
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    try {
      limiter.record(blockPoolId, blockId, bytes);
    } catch (Throwable t) {
      contain(t);
    }
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    try {
      return limiter.admits(blockPoolId, blockId);
    } catch (Throwable t) {
      contain(t);
      return false;
    }
  }

  @Override
  public boolean admits(String blockPoolId, long blockId, int page) {
    try {
      return limiter.admits(blockPoolId, blockId, page);
    } catch (Throwable t) {
      contain(t);
      return false;
    }
  }

  @Override
  public boolean mayWrite() {
    try {
      return limiter.mayWrite();
    } catch (Throwable t) {
      contain(t);
      return false;
    }
  }

  @Override
  public void written(long bytes) {
    try {
      limiter.written(bytes);
    } catch (Throwable t) {
      contain(t);
    }
  }

  @Override
  public void evicted(String blockPoolId, long blockId, int page) {
    try {
      limiter.evicted(blockPoolId, blockId, page);
    } catch (Throwable t) {
      contain(t);
    }
  }

  @Override
  public void restore(StateFile state) {
    try {
      limiter.restore(state);
    } catch (Throwable t) {
      contain(t);
    }
  }

  @Override
  public Map<String, Long> metrics() {
    try {
      return limiter.metrics();
    } catch (Throwable t) {
      contain(t);
      return Map.of();
    }
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    try {
      return limiter.accesses(blockPoolId, blockId);
    } catch (Throwable t) {
      contain(t);
      return -1;
    }
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    try {
      return limiter.explain(blockPoolId, blockId);
    } catch (Throwable t) {
      contain(t);
      return "the rate limiter failed";
    }
  }

  /** A value that is not allowed is the caller's fault and not the limiter's: it is passed on. */
  @Override
  public boolean reconfigure(RateLimiterConfig config) {
    try {
      return limiter.reconfigure(config);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (Throwable t) {
      contain(t);
      return false;
    }
  }

  @Override
  public void close() {
    try {
      limiter.close();
    } catch (Throwable t) {
      contain(t);
    }
  }

  /**
   * Returns how many calls of the limiter failed since it was made.
   *
   * @return a count that never decreases
   */
  public long errors() {
    return errors.get();
  }

  private void contain(Throwable t) {
    long count = errors.incrementAndGet();
    try {
      if (mayLogNow()) {
        logger.log(Level.WARNING, "Rate limiter " + limiter.getClass().getName() + " failed, "
            + count + " times so far: the reads proceed, their blocks are not admitted", t);
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
