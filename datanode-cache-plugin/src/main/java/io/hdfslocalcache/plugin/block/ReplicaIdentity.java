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
 * Tells a replica from every other, also from one that HDFS gives the same block id, generation
 * stamp and length. That happens when a DataNode is rolled back or a NameNode is set back to an
 * older image. Three facts of the meta file are enough: HDFS writes that file when it writes the
 * replica, and afterwards only changes it with a new generation stamp. Hard links and renames, as
 * in an upgrade, keep all three.
 *
 * <p>A copy of a replica, on another volume for example, is another replica: its pages are of no
 * use after a restart, although they hold the right bytes. That costs a fill, and no more.
 *
 * @param inode number of the meta file in its file system
 * @param modifiedMicros when it was written, in microseconds since 1970: what Java 8 can see of it
 * @param length bytes in it
 */
public record ReplicaIdentity(long inode, long modifiedMicros, long length) {

  /** Of what has no files: the pages of a dry run. */
  public static final ReplicaIdentity NONE = new ReplicaIdentity(0, 0, 0);

  private static final int RADIX = Character.MAX_RADIX;
  private static final String SEPARATOR = ".";
  private static final int PARTS = 3;

  /**
   * Looks at a meta file: one {@code stat}, which may wait for the disk. So it must not be called
   * while a lock of the DataNode is held.
   *
   * @throws IOException if the file is not there, or its disk fails
   */
  public static ReplicaIdentity of(Path metaFile) throws IOException {
    Map<String, Object> facts = Files.readAttributes(metaFile, "unix:ino,lastModifiedTime,size");
    return new ReplicaIdentity((Long) facts.get("ino"),
        ((FileTime) facts.get("lastModifiedTime")).to(TimeUnit.MICROSECONDS),
        (Long) facts.get("size"));
  }

  /** @return the identity that {@link #toString} wrote, or null if it did not write this. */
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
