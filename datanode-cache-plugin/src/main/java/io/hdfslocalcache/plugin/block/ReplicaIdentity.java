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
 * @param inode number of the meta file in its file system
 * @param modifiedMicros when it was written, in microseconds since 1970, the resolution of Java 8
 * @param length bytes in it
 */
public record ReplicaIdentity(long inode, long modifiedMicros, long length) {

  /** For the pages of a dry run, which have no files. */
  public static final ReplicaIdentity NONE = new ReplicaIdentity(0, 0, 0);

  private static final int RADIX = Character.MAX_RADIX;
  private static final String SEPARATOR = ".";
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

  /** @return the identity that {@link #toString} wrote, or null for any other text. */
  public static ReplicaIdentity parse(String text) {
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
