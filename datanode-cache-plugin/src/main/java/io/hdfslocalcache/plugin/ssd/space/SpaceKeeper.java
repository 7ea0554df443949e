/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import org.apache.hadoop.log.LogThrottlingHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps some space free on an SSD that other programs may use too: when they fill the file system,
 * it lowers the capacity and evicts pages; when space is freed, it raises the capacity.
 *
 * <p>A write that failed for lack of space counts more than the file system's free bytes: there may
 * be quotas, or no free inodes. Then some pages are evicted too, and the capacity stays lower for a
 * while.
 */
public final class SpaceKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceKeeper.class);
  private static final long HOLD_NANOS = TimeUnit.MINUTES.toNanos(1);
  /** One in so many bytes of pages is evicted when a write finds no space. */
  private static final int STEP = 64;
  /** Evictions for a lower capacity are spread over ten minutes: readers need the SSD. */
  private static final int SHRINK_ROUNDS = 600;
  private static final long LEAST_SHRINK_STEP = 64L << 20;
  private static final long LOG_PERIOD_MS = 60_000;

  /** An SSD as the keeper sees it. */
  public interface Ssd {
    /**
     * @return bytes that the DataNode's user can still write to the file system
     * @throws IOException if the file system does not answer, or is missing
     */
    long usableBytes() throws IOException;

    /** @return bytes of pages. */
    long usedBytes();

    /** Sets the capacity for pages. */
    void setCapacity(long bytes);

    /** Evicts the next page. @return false if there is none */
    boolean evictOne();
  }

  private final String name;
  private final Ssd ssd;
  private volatile long configured;
  /** Most bytes of pages to evict in a round for a lower configured capacity. */
  private volatile long shrinkStep = Long.MAX_VALUE;
  private final long reserved;
  private final LongSupplier nanoClock;
  private final LogThrottlingHelper log = new LogThrottlingHelper(LOG_PERIOD_MS);
  private volatile boolean full;
  private long heldCapacity;
  private long heldUntil;
  private volatile boolean isHeld;
  private volatile boolean isLow;
  private boolean isSaidLow;

  /**
   * @param configured capacity if other files leave enough space
   * @param reserved bytes to be kept free
   */
  public SpaceKeeper(String name, Ssd ssd, long configured, long reserved, LongSupplier nanoClock) {
    this.name = name;
    this.ssd = ssd;
    this.configured = configured;
    this.reserved = reserved;
    this.nanoClock = nanoClock;
    this.heldCapacity = configured;
    this.heldUntil = nanoClock.getAsLong();
  }

  /**
   * Changes the capacity. It applies at once, if there is space; pages that exceed it are evicted
   * by {@link #check}, some at a time.
   *
   * @param bytes capacity if other files leave enough space
   */
  public synchronized void setConfigured(long bytes) {
    long before = configured;
    configured = bytes;
    // Pages may still exceed the previous capacity.
    long excess = Math.max(before, ssd.usedBytes()) - bytes;
    shrinkStep = Math.max(LEAST_SHRINK_STEP, excess / SHRINK_ROUNDS);
    if (!isLow && !full) {
      // If there is less space, the next round lowers it.
      ssd.setCapacity(Math.max(bytes, ssd.usedBytes()));
    }
  }

  /** @return capacity if other files leave enough space. */
  public long configured() {
    return configured;
  }

  /** A write failed: if for lack of space, no page should be written before {@link #check}. */
  public void failed(Exception error) {
    if (ErrorCause.of(error) == ErrorCause.NO_SPACE) {
      full = true;
    }
  }

  /** @return whether the last write found no space, and no page was evicted for it yet. */
  public boolean isFull() {
    return full;
  }

  /** @return whether the capacity is low because a write found no space, though bytes are free. */
  public boolean isHeld() {
    return isHeld;
  }

  /**
   * Adapts the capacity to the free space. Called about once a second, by one thread.
   *
   * @param stop whether to end early
   */
  public void check(BooleanSupplier stop) {
    long used = ssd.usedBytes();
    long usable;
    try {
      usable = ssd.usableBytes();
    } catch (IOException e) {
      // No reason to evict pages: this is not a full disk.
      LOG.debug("Local cache: could not read the free space of {}", name, e);
      return;
    }
    long capacity = adapt(used, usable);
    while (ssd.usedBytes() > capacity && !stop.getAsBoolean() && ssd.evictOne()) {
      // Evicts one page per call.
    }
    full = false;
  }

  private synchronized long adapt(long used, long usable) {
    long most = Math.max(configured, used - shrinkStep);
    if (full) {
      heldCapacity = used - Math.max(used / STEP, 1);
      heldUntil = nanoClock.getAsLong() + HOLD_NANOS;
    } else if (nanoClock.getAsLong() - heldUntil >= 0) {
      heldCapacity = most;
    }
    long left = used + usable - reserved;
    long capacity = Math.max(0, Math.min(Math.min(most, heldCapacity), left));
    ssd.setCapacity(capacity);
    isHeld = heldCapacity < Math.min(most, left);
    say(capacity, isHeld ? "a write found no space although "
        + Sizes.text(usable) + " are free: see its inodes (df -i) and quotas"
        : "other files leave no more, with " + Sizes.text(reserved) + " reserved");
    return capacity;
  }

  private void say(long capacity, String why) {
    boolean low = capacity < configured;
    isLow = low;
    if (low != isSaidLow && (!low || log.record().shouldLog())) {
      isSaidLow = low;
      if (low) {
        LOG.warn("Local cache: pages in {} may take {} of {}: {}", name,
            Sizes.text(capacity, configured), Sizes.text(configured, capacity), why);
      } else {
        LOG.info("Local cache: pages in {} may take {} again", name, Sizes.text(configured));
      }
    }
  }
}
