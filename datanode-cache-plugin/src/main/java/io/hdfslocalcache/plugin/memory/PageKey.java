/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import io.hdfslocalcache.plugin.index.CachedBlock;

/**
 * A page by the name of its block's pages, which has block pool, block id and generation stamp in
 * it.
 */
public record PageKey(String fileId, int page) {

  /** @return the key of a block's page. */
  public static PageKey of(CachedBlock block, int page) {
    return new PageKey(block.fileId(), page);
  }
}
