/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;


import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.replay.trace.Replica;

/**
 * What a limiter decides at each read of a trace. A limiter that is asked about blocks and told
 * about reads alone decides the same whatever the local cache holds, so it is run once for all
 * capacities, page sizes and policies of eviction.
 */
final class Admission {

  private static final int MEASURE_HEAP = 1 << 16;
  /** What depends on the capacity is not decided here. */
  private static final long ANY_CAPACITY = 1;

  private final long[] admitted;
  private final long heapBytes;

  private Admission(long[] admitted, long heapBytes) {
    this.admitted = admitted;
    this.heapBytes = heapBytes;
  }

  /** Runs a limiter on a trace. */
  static Admission of(Limiter limiter, PageTrace trace) {
    long[] now = new long[1];
    long heap = 0;
    long[] admitted = new long[trace.reads() / Long.SIZE + 1];
    try (CacheRateLimiter made = limiter.create(ANY_CAPACITY, () -> now[0])) {
      for (int read = 0; read < trace.reads(); read++) {
        now[0] = trace.millis(read);
        Replica replica = trace.replica(read);
        made.record(replica.blockPool(), replica.blockId(), trace.length(read));
        if (made.admits(replica.blockPool(), replica.blockId())) {
          admitted[read / Long.SIZE] |= 1L << read;
        }
        if (read % MEASURE_HEAP == 0) {
          heap = Math.max(heap, heapBytes(made));
        }
      }
    }
    return new Admission(admitted, heap);
  }

  static long heapBytes(CacheRateLimiter limiter) {
    return limiter instanceof BucketTimeRateLimit counted ? counted.heapBytes() : 0;
  }

  /** Tells whether a limiter's decisions depend on reads alone. */
  static boolean isIndependent(Limiter limiter) {
    try (CacheRateLimiter made = limiter.create(ANY_CAPACITY, () -> 0)) {
      return made.decidesByReadsAlone();
    }
  }

  /** @return whether the block of a read was admitted when it was read, the read included. */
  boolean admits(int read) {
    return (admitted[read / Long.SIZE] & 1L << read) != 0;
  }

  /** @return a view for one simulation. */
  Gate gate() {
    return new Gate() {
      private int current;

      @Override
      public void begin(int read) {
        current = read;
      }

      @Override
      public boolean admits() {
        return Admission.this.admits(current);
      }

      @Override
      public boolean admitsPage(int page) {
        return true;
      }

      @Override
      public void written(long bytes) {
      }

      @Override
      public void evicted(int page) {
      }

      @Override
      public long heapBytes() {
        return heapBytes;
      }

      @Override
      public void close() {
      }
    };
  }
}
