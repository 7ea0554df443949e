/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import static java.util.Objects.requireNonNull;

/**
 * One finalized state of a replica. HDFS gives a block a new generation stamp whenever its bytes
 * change, so pages of a snapshot never become wrong, only unused. The length is a second check: the
 * DataNode changes some replicas in place, field by field.
 *
 * @param key the block
 * @param generationStamp the version of the block
 * @param length bytes of data
 */
public record ReplicaSnapshot(BlockKey key, long generationStamp, long length) {

  public ReplicaSnapshot {
    requireNonNull(key, "key");
  }

  /**
   * Limits a requested range to the end of the data.
   *
   * @param offset first byte requested; not checked yet
   * @param asked bytes requested; negative: all
   * @return byte after the last one requested
   */
  public long end(long offset, long asked) {
    return asked < 0 || asked > length - offset ? length : offset + asked;
  }

  /**
   * @return a copy with the shared string of its block pool: each read brings another string, and
   *     millions of snapshots are kept
   */
  public ReplicaSnapshot toKeep() {
    return new ReplicaSnapshot(
        new BlockKey(key.blockPoolId().intern(), key.blockId()), generationStamp, length);
  }

  @Override
  public String toString() {
    return key + "_" + generationStamp + " (" + length + " bytes)";
  }
}
