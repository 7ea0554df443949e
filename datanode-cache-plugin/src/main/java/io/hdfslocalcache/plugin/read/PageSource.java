/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.PageBytes;

/** Where a reader finds the pages of a block. */
public interface PageSource {

  /** @return whether pages of the block may be used at this moment. */
  boolean isOn(CachedBlock block);

  /**
   * Finds a page in memory, or has it read from its SSD, and waits for that.
   *
   * @param from first byte that is needed now, in the page's data
   * @param to byte after the last that is needed now
   * @param wanted byte after the last that the reader will want of the page
   * @param budget how long the reader may wait
   * @return at least the needed bytes, verified, to be closed by the caller; null if they cannot be
   *     had
   */
  PageBytes get(CachedBlock block, int page, int from, int to, int wanted, WaitBudget budget);

  /** What was in memory cannot be had any more. The reader will not ask for the page again. */
  void lost(CachedBlock block, int page, Exception error);
}
