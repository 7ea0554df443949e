/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.replay.trace.Replica;

/**
 * What a simulation asks its limiter and tells it, read by read. The limiter is told the capacity,
 * as in a DataNode with one SSD of that size.
 */
final class Admission implements AutoCloseable {

  private static final int MEASURE_HEAP = 1 << 16;

  private final PageTrace trace;
  private final CacheRateLimiter limiter;
  private long now;
  private Replica replica;
  private boolean isDecided;
  private boolean admitted;
  private long heapBytes;

  Admission(Setting setting, PageTrace trace) {
    this.trace = trace;
    this.limiter = setting.limiter().create(setting.capacity(), () -> now);
  }

  /** A read begins. */
  void begin(int read) {
    now = trace.millis(read);
    replica = trace.replica(read);
    limiter.record(replica.blockPool(), replica.blockId(), trace.length(read));
    isDecided = false;
    if (read % MEASURE_HEAP == 0 && limiter instanceof BucketTimeRateLimit counted) {
      heapBytes = Math.max(heapBytes, counted.heapBytes());
    }
  }

  /** @return whether the block of the read is admitted; asked when a page of it is missed. */
  boolean admits() {
    if (!isDecided) {
      admitted = limiter.admits(replica.blockPool(), replica.blockId());
      isDecided = true;
    }
    return admitted;
  }

  /** @return whether a page of an admitted block keeps the parts that are missed. */
  boolean admitsPage(int page) {
    return limiter.admits(replica.blockPool(), replica.blockId(), trace.pageInBlock(page));
  }

  /** Parts of a page were written to the SSD. @param bytes what they take there */
  void written(long bytes) {
    limiter.written(bytes);
  }

  /** A page left to make room. */
  void evicted(int page) {
    Replica of = trace.replicaOf(page);
    limiter.evicted(of.blockPool(), of.blockId(), trace.pageInBlock(page));
  }

  /** @return the most heap that the limiter took, in bytes; 0 if it does not tell. */
  long heapBytes() {
    return heapBytes;
  }

  @Override
  public void close() {
    limiter.close();
  }
}
