/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;

/** What fills ask of, and tell, the local cache around them. A rule may be null: there is none. */
public interface FillDecisions {

  /** @return whether pages of the block may be filled at this moment. */
  boolean mayFill(BlockKey key);

  /** @return whether what readers miss of a block is filled. */
  boolean admits(BlockKey key, RuleAccount rule);

  /** @return whether a page that a reader misses is filled; asked once for each read of it. */
  boolean admits(BlockKey key, RuleAccount rule, int page);

  /** A block has been killed; its pages are to be removed. */
  void killed(CachedBlock block, String why);

  /**
   * Waits until an operator's order may copy more. Called without any lock.
   *
   * @param bytes that it will copy
   * @throws InterruptedException if it is to end
   */
  void awaitPace(long bytes) throws InterruptedException;

  /**
   * Makes room on the account of a rule.
   *
   * @param bytes that will be taken on the SSD
   * @return false if there is no room: nothing is filled
   */
  boolean reserve(RuleAccount rule, SsdDirectory directory, long bytes);

  /** What was reserved is there now, or will not be: it needs no reservation any more. */
  void release(RuleAccount rule, long bytes);

  /** Bytes are about to be written to an SSD. */
  void writing(long bytes);
}
