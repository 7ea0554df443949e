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
 * Keeps some space free on an SSD that others may use, too: lowers the capacity for pages, and has
 * pages leave, when others fill the file system; raises it when the space comes back.
 *
 * <p>A write that failed for want of space says more than the file system's count of free bytes:
 * there are quotas, and file systems out of inodes. Then some pages leave, too, and the capacity
 * stays lower for a while.
 */
public final class SpaceKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceKeeper.class);
  private static final long HOLD_NANOS = TimeUnit.MINUTES.toNanos(1);
  /** One in so many bytes of pages leaves when a write finds no space. */
  private static final int STEP = 64;
  /** Pages leave over ten minutes at most when the operator wants less: readers need the SSD. */
  private static final int SHRINK_ROUNDS = 600;
  private static final long LEAST_SHRINK_STEP = 64L << 20;
  private static final long LOG_PERIOD_MS = 60_000;

  /** An SSD as the keeper sees it. */
  public interface Ssd {
    /**
     * @return bytes that the DataNode's user could still write to the file system
     * @throws IOException if the file system does not tell, or is not there
     */
    long usableBytes() throws IOException;

    /** @return bytes that pages take. */
    long usedBytes();

    /** Lets pages take no more than this. */
    void setCapacity(long bytes);

    /** Removes the page that is next to leave. @return false if there is none */
    boolean evictOne();
  }

  private final String name;
  private final Ssd ssd;
  private volatile long configured;
  /** Bytes of pages that leave in a round at most when the operator wants less. */
  private volatile long shrinkStep = Long.MAX_VALUE;
  private final long reserved;
  private final LongSupplier nanoClock;
  private final LogThrottlingHelper log = new LogThrottlingHelper(LOG_PERIOD_MS);
  private volatile boolean full;
  private long heldCapacity;
  private long heldUntil;
  private volatile boolean isLow;

  /**
   * @param configured bytes that pages may take if others leave enough
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
   * Changes what pages may take. More can be used at once, if others leave it; for less, pages leave
   * bit by bit with every {@link #check}.
   *
   * @param bytes bytes that pages may take if others leave enough
   */
  public void setConfigured(long bytes) {
    long before = configured;
    configured = bytes;
    shrinkStep = Math.max(LEAST_SHRINK_STEP, (before - bytes) / SHRINK_ROUNDS);
    if (bytes > before && !isLow && !full) {
      // If there is less, the next round takes it back.
      ssd.setCapacity(bytes);
    }
  }

  /** @return bytes that pages may take if others leave enough. */
  public long configured() {
    return configured;
  }

  /** A write failed: if for want of space, no page is worth writing before {@link #check}. */
  public void failed(Exception error) {
    if (ErrorCause.of(error) == ErrorCause.NO_SPACE) {
      full = true;
    }
  }

  /** @return whether the last write found no space, and nothing has been done about it yet. */
  public boolean isFull() {
    return full;
  }

  /**
   * Adapts the capacity to what others leave. Called about once a second, by one thread.
   *
   * @param stop whether to end early
   */
  public void check(BooleanSupplier stop) {
    long used = ssd.usedBytes();
    long usable;
    try {
      usable = ssd.usableBytes();
    } catch (IOException e) {
      // No reason to give up any page: this is no full disk.
      LOG.debug("Local cache: could not find out how much space {} has", name, e);
      return;
    }
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
    while (ssd.usedBytes() > capacity && !stop.getAsBoolean() && ssd.evictOne()) {
      // One more has left.
    }
    full = false;
    say(capacity, heldCapacity < Math.min(most, left) ? "a write found no space, though "
        + Sizes.text(usable) + " are free: see its inodes (df -i) and quotas"
        : "there must be " + Sizes.text(reserved) + " free");
  }

  private void say(long capacity, String why) {
    boolean low = capacity < configured;
    if (low != isLow && (!low || log.record().shouldLog())) {
      isLow = low;
      if (low) {
        LOG.warn("Local cache: pages in {} may take {} of {}: {}", name,
            Sizes.text(capacity, configured), Sizes.text(configured, capacity), why);
      } else {
        LOG.info("Local cache: pages in {} may take {} again", name, Sizes.text(configured));
      }
    }
  }
}
