/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import io.hdfslocalcache.plugin.index.CachedBlock;

/**
 * The key of a page: the name of its block's pages, with block pool, block id and generation stamp,
 * and its number.
 */
public record PageKey(String fileId, int page) {

  /** @return the key of a block's page. */
  public static PageKey of(CachedBlock block, int page) {
    return new PageKey(block.fileId(), page);
  }
}
