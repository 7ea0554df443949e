/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.replay.trace.Replica;

/**
 * A limiter of its own for one simulation, as a limiter needs it that looks at pages or at what is
 * written. It is told the capacity, as in a DataNode with one SSD of that size.
 */
final class LiveGate implements Gate {

  private final PageTrace trace;
  private final CacheRateLimiter limiter;
  private long now;
  private Replica replica;
  private boolean isDecided;
  private boolean admitted;
  private long heapBytes;

  LiveGate(Setting setting, PageTrace trace) {
    this.trace = trace;
    this.limiter = setting.limiter().create(setting.capacity(), () -> now);
  }

  @Override
  public void begin(int read) {
    now = trace.millis(read);
    replica = trace.replica(read);
    limiter.record(replica.blockPool(), replica.blockId(), trace.length(read));
    isDecided = false;
    if (read % Simulation.STEP == 0) {
      heapBytes = Math.max(heapBytes, Admission.heapBytes(limiter));
    }
  }

  @Override
  public boolean admits() {
    if (!isDecided) {
      admitted = limiter.admits(replica.blockPool(), replica.blockId());
      isDecided = true;
    }
    return admitted;
  }

  @Override
  public boolean admitsPage(int page) {
    return limiter.admits(replica.blockPool(), replica.blockId(), trace.pageInBlock(page));
  }

  @Override
  public void written(long bytes) {
    limiter.written(bytes);
  }

  @Override
  public void evicted(int page) {
    Replica of = trace.replicaOf(page);
    limiter.evicted(of.blockPool(), of.blockId(), trace.pageInBlock(page));
  }

  @Override
  public long heapBytes() {
    return heapBytes;
  }

  @Override
  public void close() {
    limiter.close();
  }
}
