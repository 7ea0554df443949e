/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.reading;

import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * A file that clients read in HDFS, and the local file whose bytes it must have.
 *
 * @param inHdfs absolute path in HDFS
 * @param local the file to compare with
 * @param length bytes that both have
 */
public record SourceFile(String inHdfs, Path local, long length) {

  public SourceFile {
    requireNonNull(inHdfs, "inHdfs");
    requireNonNull(local, "local");
    if (length < 0) {
      throw new IllegalArgumentException("negative length: " + length);
    }
  }

  /** @return the path in HDFS as Hadoop has it. */
  public org.apache.hadoop.fs.Path path() {
    return new org.apache.hadoop.fs.Path(inHdfs);
  }

  /** Both names, for people. */
  @Override
  public String toString() {
    return inHdfs + " (" + local.getFileName() + ")";
  }
}
