/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;

/**
 * The name of a replica's pages, such as {@code BP-1-10.0.0.1-2_blk_3_1004_5k.hd2zgk3hc0.7j}: the
 * block pool's id, the DataNode's name of the meta file, and the {@link ReplicaIdentity}. It
 * becomes a directory on the SSD. As the identity is in the name, pages of two replicas with the
 * same block id and generation stamp never mix.
 */
public final class BlockFileId {

  private static final String SEPARATOR = "_blk_";

  private BlockFileId() {
  }

  /**
   * The id comes from the NameNode and becomes a part of a path. HDFS creates ids of the form
   * {@code BP-<number>-<address>-<time>}; an IPv6 address has colons.
   */
  private static boolean isSafe(String blockPoolId) {
    return !blockPoolId.isEmpty() && blockPoolId.charAt(0) != '.'
        && blockPoolId.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
            || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':' || c == '_' || c == '%');
  }

  /**
   * @return the name for a snapshot of a replica
   * @throws IllegalArgumentException if the block pool's id could lead out of the directory
   */
  public static String of(ReplicaSnapshot snapshot, ReplicaIdentity identity) {
    BlockKey key = snapshot.key();
    if (!isSafe(key.blockPoolId())) {
      throw new IllegalArgumentException("not a block pool id: " + key.blockPoolId());
    }
    return key.blockPoolId() + SEPARATOR + key.blockId() + '_' + snapshot.generationStamp()
        + '_' + identity;
  }

  /**
   * Finds the block in a name.
   *
   * @return the block, or null if the string is not such a name
   */
  public static BlockKey blockOf(String fileId) {
    int separator = fileId.lastIndexOf(SEPARATOR);
    int id = separator + SEPARATOR.length();
    int stamp = fileId.indexOf('_', id);
    if (separator < 0 || stamp < 0 || !isSafe(fileId.substring(0, separator))) {
      return null;
    }
    try {
      return new BlockKey(fileId.substring(0, separator),
          Long.parseLong(fileId, id, stamp, 10));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** @return the replica in a name, or null if there is none. */
  public static ReplicaIdentity identityOf(String fileId) {
    return ReplicaIdentity.parse(fileId.substring(fileId.lastIndexOf('_') + 1));
  }
}
