/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import static java.util.Objects.requireNonNull;

/**
 * Names a block on this DataNode. Block ids are sequential in each namespace, so block pools of a
 * federation use the same ids: the pool is part of the name.
 *
 * @param blockPoolId the block pool
 * @param blockId the block in it
 */
public record BlockKey(String blockPoolId, long blockId) {

  public BlockKey {
    requireNonNull(blockPoolId, "blockPoolId");
  }

  @Override
  public String toString() {
    return blockPoolId + ":blk_" + blockId;
  }
}
