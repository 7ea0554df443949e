/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

/**
 * What the kernel has counted for a disk.
 *
 * @param reads completed reads
 * @param bytesRead bytes in them
 * @param writes completed writes
 * @param bytesWritten bytes in them
 */
public record DiskStat(long reads, long bytesRead, long writes, long bytesWritten) {

  /** @return what has come since. */
  public DiskStat since(DiskStat earlier) {
    return new DiskStat(reads - earlier.reads, bytesRead - earlier.bytesRead,
        writes - earlier.writes, bytesWritten - earlier.bytesWritten);
  }
}
