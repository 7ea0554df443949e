/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.List;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.metrics.PinStatus;

/**
 * What an operator can see of the local cache of one DataNode, and do to what is in it. Called by
 * IPC handler threads, by several at once: implementations are thread-safe and wait neither for a
 * disk nor for an SSD.
 */
public interface LocalCacheView {

  /** What {@link #top} orders blocks by; the other decides between equals. */
  enum Order {
    /** Reads that the rate limiter counts now. */
    READS,
    /** Cached pages. */
    PAGES
  }

  /** @return the state of the local cache and of its SSDs, and what it has counted. */
  CacheStatus status();

  /** @return what the DataNode has of a block, and what the local cache thinks of it. */
  BlockStatus block(BlockKey key);

  /**
   * Finds the hottest cached blocks.
   *
   * @param n how many
   * @return them, the hottest first
   */
  List<BlockStatus> top(int n, Order order);

  /**
   * Begins to fill all pages of a block that are not cached, whatever the rate limiter says. Asked
   * again, tells how far it is.
   */
  Warming warm(BlockKey key);

  /**
   * Removes the pages of a block from the local cache.
   *
   * @param why for the log
   * @return number of pages, which leave the SSD soon
   */
  int clear(BlockKey key, String why);

  /**
   * Changes a setting until the DataNode restarts.
   *
   * @param key the key, with or without {@code dfs.datanode.local.cache.}
   * @param value what the configuration would say
   * @throws IllegalArgumentException if it is not allowed, and nothing was changed
   */
  SettingChange set(String key, String value);

  /**
   * Has the pages of a path stay, up to a quota.
   *
   * @param path absolute HDFS path, without wildcards
   * @param quota bytes with or without a suffix such as {@code 200g}; {@code default}: a tenth of
   *     the capacity
   * @throws IllegalArgumentException if that is not possible, and nothing was changed
   */
  PinStatus pin(String path, String quota);

  /**
   * Ends a pin.
   *
   * @return what was pinned
   * @throws IllegalArgumentException if the path is not pinned, and nothing was changed
   */
  PinStatus unpin(String path);

  /** @return all pins. */
  List<PinStatus> pins();

  /** @return the operator's rules, and what is on their accounts. */
  RulesView rules();

  /**
   * Reads the rules from their file again, and has their paths looked up soon.
   *
   * @throws IllegalArgumentException if they cannot be used, and the rules of before stay in force;
   *     the message has the line
   */
  void reloadRules();

  /**
   * Removes all pages from the local cache.
   *
   * @param why for the log
   * @return number of pages, which leave the SSDs soon
   */
  int clearAll(String why);
}
