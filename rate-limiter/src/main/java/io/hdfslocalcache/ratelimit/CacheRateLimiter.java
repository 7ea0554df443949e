/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;
import java.util.Set;

/**
 * Decides admission: may pages of a block enter the local cache. A block that is not admitted is
 * read from its HDD replica as if there were no local cache.
 *
 * <p>{@link #record} and {@link #admits(String, long)} are called for every client read, on the
 * thread that serves it: an implementation is thread-safe, does not block, and does no I/O there.
 * The caller records a read first and asks about its block second, so a decision includes the read
 * it is made for.
 *
 * <p>The other methods have defaults, so that a limiter of blocks alone needs nothing else. They
 * are called in the background, where waiting for an SSD is allowed.
 *
 * <p>A block is named by block pool and block id together, since block ids of two block pools
 * collide. The generation stamp plays no part: an appended block stays as popular as it was.
 *
 * <p>An implementation has a public constructor that takes a {@link RateLimiterConfig} and a
 * {@link RateLimiterClock}. It throws {@link IllegalArgumentException} for a bad value, with a
 * message made by {@link RateLimiterConfig#invalid}. See {@link RateLimiterFactory}.
 */
public interface CacheRateLimiter extends AutoCloseable {

  /**
   * Counts one client read.
   *
   * @param blockPoolId the block pool of the block that was read
   * @param blockId the block that was read
   * @param bytes how many bytes of block data the read asked for, at least 0; many clients ask for
   *     the rest of a block and close when they have what they want, so this may be far more than
   *     is sent
   */
  void record(String blockPoolId, long blockId, long bytes);

  /**
   * Counts one client read, of which it is known where it begins: this is what is called. By default,
   * that does not matter. Whoever wants to tell a scan, which reads on where it stopped, from reads
   * that come back has to know.
   *
   * @param from the first byte of the block that was asked for
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
   * So, unlike {@link #admits(String, long)}, it may count the question as a touch of the page.
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
   * Tells, of a page that was admitted, whether it had been missed before the miss that let it in.
   * Asked when the page has been written, in the background. Of pages that nobody reads, those that
   * had not been missed before leave first.
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
   * Tells whether a page may be written that an operator's rule or command lets in, whatever its block's
   * reads. Called in the background.
   *
   * @return false when no page may be written now; by default, true
   */
  default boolean mayWrite() {
    return true;
  }

  /**
   * Tells that a page file was written to an SSD, or that an attempt failed that may have written
   * it. Called in the background.
   *
   * @param bytes length of the file, checksums included
   */
  default void written(long bytes) {
  }

  /**
   * Tells that a page left an SSD to make room for others. Called under a lock of the store: must
   * not wait.
   *
   * @param blockPoolId the block pool of the page's block
   * @param blockId the page's block
   * @param page the page within the block, from 0
   */
  default void evicted(String blockPoolId, long blockId, int page) {
  }

  /**
   * Tells how much pages may take. Told before the first page is asked about, and again whenever it
   * changes: an SSD comes or goes, or has another capacity. Must not wait.
   *
   * @param ssds how many SSDs there are
   * @param bytes bytes that page files may take on all of them together
   */
  default void capacity(int ssds, long bytes) {
  }

  /**
   * Gives the limiter the place where it may keep what must survive a restart. Called after
   * {@link #capacity} and before the first page is asked about; never called when there is no SSD.
   * Called again with the same place when an SSD has come that has other numbers.
   * The limiter saves by itself, in the calls made in the background and in {@link #close}.
   *
   * @param state the place
   */
  default void restore(StateFile state) {
  }

  /**
   * Measures, for the DataNode's metrics.
   *
   * @return values by name; names begin with a capital and have letters and digits only
   */
  default Map<String, Long> metrics() {
    return Map.of();
  }

  /**
   * Tells counters from gauges, for the same.
   *
   * @return those names of {@link #metrics} whose values only grow; the others go up and down
   */
  default Set<String> counters() {
    return Set.of();
  }

  /**
   * Tells how many reads of a block count now, for an operator; not called for reads.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @return number of reads, or -1 when the limiter cannot tell; it may be less than there were
   *     when more could change no decision
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
   * so long, also after {@link #close}.
   *
   * @return milliseconds; 0, by default, when reads cannot be handed over
   */
  default long readLifeMillis() {
    return 0;
  }

  /**
   * Tells an operator why a block is admitted now, or is not, if pages may be written; not called
   * for reads.
   *
   * @param blockPoolId the block pool of the block
   * @param blockId the block
   * @return a part of a sentence, without a full stop; empty when there is nothing to tell
   */
  default String explain(String blockPoolId, long blockId) {
    return "";
  }

  /**
   * Tells an operator why no page at all may be written, now and for a while: not for the moment
   * between two pages. Unlike {@link #mayWrite}, reserves nothing.
   *
   * @return a part of a sentence, without a full stop; empty, by default, when pages are written
   */
  default String holdsBack() {
    return "";
  }

  /**
   * Takes other settings while reads go on, and keeps all it has counted. Whoever cannot is replaced
   * by a new limiter.
   *
   * @param config the settings as they shall be
   * @return false when nothing was changed, because it takes a new limiter; by default, always
   * @throws IllegalArgumentException when a value is not allowed; nothing was changed then
   */
  default boolean reconfigure(RateLimiterConfig config) {
    return false;
  }

  /** Releases what the limiter holds; called once, after the last read. */
  @Override
  default void close() {
  }
}
