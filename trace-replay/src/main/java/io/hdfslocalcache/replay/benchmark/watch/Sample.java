/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.watch;

/**
 * What all DataNodes together have counted at a moment.
 *
 * @param millis the moment, since the readers began
 * @param fromLocalCache bytes that clients got from SSDs
 * @param fromReplicas bytes that clients got from data volumes
 * @param admitted reads of admitted blocks
 * @param hits of these, reads that SSDs served to the last byte
 */
record Sample(long millis, long fromLocalCache, long fromReplicas, long admitted, long hits) {

  /** @return a sample between this and a later one. */
  Sample towards(Sample later, long at) {
    if (at <= millis || later.millis == millis) {
      return this;
    }
    double share = Math.min(1, (double) (at - millis) / (later.millis - millis));
    return new Sample(at, between(fromLocalCache, later.fromLocalCache, share),
        between(fromReplicas, later.fromReplicas, share),
        between(admitted, later.admitted, share), between(hits, later.hits, share));
  }

  private static long between(long a, long b, double share) {
    return a + Math.round(share * (b - a));
  }

  Sample minus(Sample earlier) {
    return new Sample(millis, fromLocalCache - earlier.fromLocalCache,
        fromReplicas - earlier.fromReplicas, admitted - earlier.admitted, hits - earlier.hits);
  }
}
