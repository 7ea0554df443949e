/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;
import java.util.Set;

/**
 * Decides admission: whether pages of a block may enter the local cache. A block that is not
 * admitted is read from its HDD replica as without a local cache.
 *
 * <p>{@link #record} and {@link #admits(String, long)} are called for every client read, on the
 * thread that serves it: an implementation is thread-safe, does not block, and does no I/O there.
 * The caller first records a read, then asks about its block, so a decision includes the present
 * read.
 *
 * <p>The other methods have defaults, so that a limiter of blocks needs nothing else. Wait for an
 * SSD only where they say <em>in the background</em>.
 *
 * <p>A block is named by block pool and block id together, since block ids of two block pools
 * collide. The generation stamp does not matter: an appended block keeps its reads.
 *
 * <p>An implementation has a public constructor that takes a {@link RateLimiterConfig} and a
 * {@link RateLimiterClock}. It throws {@link IllegalArgumentException} for a bad value, with a
 * message from {@link RateLimiterConfig#invalid}. See {@link RateLimiterFactory}.
 */
public interface CacheRateLimiter extends AutoCloseable {

  /**
   * Counts one client read.
   *
   * @param blockPoolId the block pool of the block that was read
   * @param blockId the block that was read
   * @param bytes bytes of block data requested, at least 0; many clients request the rest of a
   *     block and close when they have enough, so far fewer may be sent
   */
  void record(String blockPoolId, long blockId, long bytes);

  /**
   * Counts one client read with its start; the DataNode calls this method. By default, the start is
   * ignored. It distinguishes a scan, which continues where it stopped, from repeated reads.
   *
   * @param from the first requested byte of the block
   * @param bytes as in {@link #record(String, long, long)}
   */
  default void record(String blockPoolId, long blockId, long from, long bytes) {
    record(blockPoolId, blockId, bytes);
  }

  /**
   * Tells whether pages of a block may enter the local cache now. Changes no count of reads, but
   * may count what is turned away: asked for reads only.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @return true when the block may enter
   */
  boolean admits(String blockPoolId, long blockId);

  /**
   * Tells whether one page of an admitted block may be copied to the SSD. Asked once for each page
   * that a read of an admitted block missed, before it is copied, on the thread that would copy it.
   * So, unlike {@link #admits(String, long)}, it may count the call as a touch of the page.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @param page the page within the block, from 0
   * @return true when the page may enter; by default, always
   */
  default boolean admits(String blockPoolId, long blockId, int page) {
    return true;
  }

  /**
   * Tells whether an admitted page was missed before the miss that filled it. Called in the
   * background when the page was written. Of pages that nobody reads, those filled at their first
   * miss are evicted first.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @param page the page within the block, from 0
   * @return by default, true
   */
  default boolean wasMissedBefore(String blockPoolId, long blockId, int page) {
    return true;
  }

  /**
   * Tells whether a page that an operator's rule admits may be copied to the SSD, whatever its
   * block's heat. Asked once for each page that a read missed.
   *
   * @return by default, what {@link #mayWrite} says
   */
  default boolean admitsByRule() {
    return mayWrite(0);
  }

  /**
   * Tells whether a page may enter now, whatever its block's heat. Called often, for pages that an
   * operator's command requests.
   *
   * @param ahead bytes in memory, admitted but not written yet. More than 0 only before a page is
   *     read for an operator: that read is useless if the budget is spent before the page is
   *     written
   * @return false when no page may enter now; by default, true
   */
  default boolean mayWrite(long ahead) {
    return true;
  }

  /**
   * Tells whether nothing at all may be written, not even a page that has been admitted. Called in the
   * background, just before a page is written.
   *
   * @return by default, false
   */
  default boolean isBudgetSpent() {
    return false;
  }

  /** @return bytes of heap that it takes, as far as known; by default, 0. */
  default long heapBytes() {
    return 0;
  }

  /**
   * Reports that a page file was written to an SSD, or may have been written by a failed attempt.
   * Called in the background.
   *
   * @param bytes length of the file, checksums included
   */
  default void written(long bytes) {
  }

  /**
   * Reports that a page was evicted from an SSD. Called under a lock of the store: must not wait.
   *
   * @param blockPoolId the block pool of the page's block
   * @param blockId the page's block
   * @param page the page within the block, from 0
   */
  default void evicted(String blockPoolId, long blockId, int page) {
  }

  /**
   * Reports the capacity for pages, before the first page is asked about, and whenever it changes:
   * an SSD is added or removed, or its capacity changes. Must not wait.
   *
   * @param ssds how many SSDs there are
   * @param bytes capacity for page files on all of them together
   */
  default void capacity(int ssds, long bytes) {
  }

  /**
   * Gives the limiter the file for state that must survive a restart. Called after
   * {@link #capacity} and before the first page is asked about: with {@link StateFile#UNKNOWN} if no
   * SSD can be read, and again when one can, or has other numbers. The limiter saves by itself, in
   * the background calls and in {@link #close}.
   *
   * @param state the file
   */
  default void restore(StateFile state) {
  }

  /**
   * Returns values for the DataNode's metrics.
   *
   * @return values by name; a name starts with a capital and has only letters and digits
   */
  default Map<String, Long> metrics() {
    return Map.of();
  }

  /**
   * Names the counters among the metrics.
   *
   * @return names of {@link #metrics} whose values only grow; the others are gauges
   */
  default Set<String> counters() {
    return Set.of();
  }

  /**
   * Returns for an operator how many reads of a block count now; not called for reads.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @return number of reads, or -1 if not known; may be too low where more would change no decision
   */
  default long accesses(String blockPoolId, long blockId) {
    return -1;
  }

  /**
   * Tells an operator what {@link #admits(String, long)} would say now; not called for reads, and
   * counts nothing.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @return by default, what that says
   */
  default boolean wouldAdmit(String blockPoolId, long blockId) {
    return admits(blockPoolId, blockId);
  }

  /**
   * Tells for how long a read that was counted may matter. A limiter that takes the place of this
   * one while the DataNode runs goes on with the reads counted here: {@link #accesses} is asked for
   * at most so long, also after {@link #close}.
   *
   * @return milliseconds; 0, by default, if reads cannot be taken over
   */
  default long readLifeMillis() {
    return 0;
  }

  /**
   * Explains to an operator why a block is admitted now or not, if pages may be written; not called
   * for reads.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @return a part of a sentence, without a full stop; empty if there is nothing to say
   */
  default String explain(String blockPoolId, long blockId) {
    return "";
  }

  /**
   * Tells an operator why no page at all may be written now.
   *
   * @return a part of a sentence, without a full stop; empty, by default, if pages are written
   */
  default String holdsBack() {
    return "";
  }

  /**
   * Changes settings while reads continue, and keeps its counts. A limiter that cannot is replaced
   * by a new one.
   *
   * @param config the new settings
   * @return false if nothing was changed because that needs a new limiter; by default, always
   * @throws IllegalArgumentException when a value is not allowed; nothing was changed then
   */
  default boolean reconfigure(RateLimiterConfig config) {
    return false;
  }

  /**
   * Saves what must survive a restart, and releases the limiter's resources. Called as soon as the
   * DataNode ends, and again after the last read and write.
   */
  @Override
  default void close() {
  }
}
