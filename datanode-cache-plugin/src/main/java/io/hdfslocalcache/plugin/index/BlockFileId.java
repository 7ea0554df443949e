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

  /**
   * The id comes from the NameNode and becomes a part of a path. HDFS makes ids of the form
   * {@code BP-<number>-<address>-<time>}; an address of IPv6 has colons.
   */
  private static boolean isSafe(String blockPoolId) {
    return !blockPoolId.isEmpty() && blockPoolId.charAt(0) != '.'
        && blockPoolId.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
            || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':' || c == '_' || c == '%');
  }

  /**
   * @return the name for a snapshot
   * @throws IllegalArgumentException if the block pool's id could lead out of a directory
   */
  public static String of(ReplicaSnapshot snapshot) {
    BlockKey key = snapshot.key();
    if (!isSafe(key.blockPoolId())) {
      throw new IllegalArgumentException("not the id of a block pool: " + key.blockPoolId());
    }
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
    if (separator < 0 || stamp < id || !isSafe(fileId.substring(0, separator))) {
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
