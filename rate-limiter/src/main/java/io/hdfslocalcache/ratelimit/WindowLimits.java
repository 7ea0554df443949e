/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * The sizes of a window.
 *
 * @param threshold how many accesses must be exceeded (X in the paper)
 * @param buckets how many buckets are live, the current one included
 * @param maxBlocksPerBucket how many blocks a bucket counts
 */
record WindowLimits(int threshold, int buckets, int maxBlocksPerBucket) {

  /**
   * Returns where a count may stop: a block that exceeds the threshold in one bucket is admitted
   * for as long as that bucket lives, whatever else is counted. So counts cannot overflow, and
   * the hottest blocks, which all threads read, cause no further writes to shared memory.
   */
  int countCeiling() {
    return threshold + 1;
  }
}
