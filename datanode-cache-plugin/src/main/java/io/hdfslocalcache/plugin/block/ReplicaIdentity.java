/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Identifies a replica, also among replicas with the same block id, generation stamp and length.
 * These occur after a rollback of a DataNode, or of a NameNode to an older image. Three attributes
 * of the meta file are enough: HDFS writes that file with the replica, and later changes it only
 * with a new generation stamp. Hard links and renames, as in an upgrade, keep all three.
 *
 * <p>A copy of a replica, for example on another volume, is another replica: its pages are dropped
 * at a restart although their bytes are right. That only costs a fill.
 *
 * <p>Pages are found by the {@link #fileId name} of their replica: the identity is a part of it, so
 * pages of two replicas with the same block id and generation stamp never mix.
 *
 * @param inode number of the meta file in its file system
 * @param modifiedMicros when it was written, in microseconds since 1970, the resolution of Java 8
 * @param length bytes in it
 */
public record ReplicaIdentity(long inode, long modifiedMicros, long length) {

  /** For the pages of a dry run, which have no files. */
  public static final ReplicaIdentity NONE = new ReplicaIdentity(0, 0, 0);

  private static final int RADIX = Character.MAX_RADIX;
  private static final String SEPARATOR = ".";
  private static final String AFTER_POOL = "_blk_";
  private static final int PARTS = 3;

  /**
   * Reads a meta file's attributes with one {@code stat}, which may wait for the disk. Must not be
   * called while a lock of the DataNode is held.
   *
   * @throws IOException if the file is missing, or its disk fails
   */
  public static ReplicaIdentity of(Path metaFile) throws IOException {
    Map<String, Object> facts = Files.readAttributes(metaFile, "unix:ino,lastModifiedTime,size");
    return new ReplicaIdentity((Long) facts.get("ino"),
        ((FileTime) facts.get("lastModifiedTime")).to(TimeUnit.MICROSECONDS),
        (Long) facts.get("size"));
  }

  /**
   * The name of a replica's pages, such as {@code BP-1-10.0.0.1-2_blk_3_1004_5k.hd2zgk3hc0.7j}: the
   * block pool's id, the DataNode's name of the meta file, and this. It becomes a directory on the
   * SSD.
   *
   * @param snapshot of the replica
   * @throws IllegalArgumentException if the block pool's id could lead out of the directory
   */
  public String fileId(ReplicaSnapshot snapshot) {
    BlockKey key = snapshot.key();
    if (!isSafe(key.blockPoolId())) {
      throw new IllegalArgumentException("not a block pool id: " + key.blockPoolId());
    }
    return key.blockPoolId() + AFTER_POOL + key.blockId() + '_' + snapshot.generationStamp()
        + '_' + this;
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
   * Finds the block in a {@link #fileId name}.
   *
   * @return the block, or null if the string is not such a name
   */
  public static BlockKey blockOf(String fileId) {
    int separator = fileId.lastIndexOf(AFTER_POOL);
    int id = separator + AFTER_POOL.length();
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

  /** @return the identity in a {@link #fileId name}, or null if there is none. */
  public static ReplicaIdentity inName(String fileId) {
    String text = fileId.substring(fileId.lastIndexOf('_') + 1);
    String[] parts = text.split("\\" + SEPARATOR, -1);
    if (parts.length != PARTS) {
      return null;
    }
    try {
      ReplicaIdentity identity = new ReplicaIdentity(Long.parseLong(parts[0], RADIX),
          Long.parseLong(parts[1], RADIX), Long.parseLong(parts[2], RADIX));
      return identity.toString().equals(text) ? identity : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** @return a short form of letters, digits, dots and minus signs, which can be parsed. */
  @Override
  public String toString() {
    return Long.toString(inode, RADIX) + SEPARATOR + Long.toString(modifiedMicros, RADIX)
        + SEPARATOR + Long.toString(length, RADIX);
  }
}
