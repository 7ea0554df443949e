/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;

/**
 * The name under which a snapshot's pages are kept, such as {@code BP-1-10.0.0.1-2_blk_3_1004}: the
 * DataNode's own name of the meta file behind the block pool's. It becomes a directory on the SSD.
 */
public final class BlockFileId {

  private static final String SEPARATOR = "_blk_";

  private BlockFileId() {
  }

  /** @return the name for a snapshot. */
  public static String of(ReplicaSnapshot snapshot) {
    BlockKey key = snapshot.key();
    return key.blockPoolId() + SEPARATOR + key.blockId() + '_' + snapshot.generationStamp();
  }

  /**
   * Finds the block in a name.
   *
   * @return the block, or null if the string is not such a name
   */
  public static BlockKey blockOf(String fileId) {
    int separator = fileId.lastIndexOf(SEPARATOR);
    int stamp = fileId.lastIndexOf('_');
    int id = separator + SEPARATOR.length();
    if (separator < 0 || stamp < id) {
      return null;
    }
    try {
      return new BlockKey(fileId.substring(0, separator),
          Long.parseLong(fileId, id, stamp, 10));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
