/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.watch;

import java.util.List;
import java.util.OptionalDouble;

/** Where the bytes came from while a benchmark ran, over its time. */
public final class Traffic {

  private final List<Sample> samples;
  private final int silent;

  /**
   * Takes over samples.
   *
   * @param samples in the order of time
   * @param silent DataNodes that did not tell, of those in the cluster
   */
  Traffic(List<Sample> samples, int silent) {
    this.samples = List.copyOf(samples);
    this.silent = silent;
  }

  /** @return whether any DataNode told anything. */
  public boolean isKnown() {
    return samples.size() > 1;
  }

  /** @return number of DataNodes that did not tell: without a local cache, or not reachable. */
  public int silentDataNodes() {
    return silent;
  }

  private Sample at(long millis) {
    Sample before = samples.get(0);
    for (Sample sample : samples) {
      if (sample.millis() >= millis) {
        return before.towards(sample, millis);
      }
      before = sample;
    }
    return before;
  }

  private Sample between(long fromMillis, long toMillis) {
    return isKnown() ? at(toMillis).minus(at(fromMillis)) : new Sample(toMillis, 0, 0, 0, 0);
  }

  /** @return bytes that came from SSDs between two moments. */
  public long fromLocalCache(long fromMillis, long toMillis) {
    return between(fromMillis, toMillis).fromLocalCache();
  }

  /** @return bytes that came from data volumes between two moments. */
  public long fromReplicas(long fromMillis, long toMillis) {
    return between(fromMillis, toMillis).fromReplicas();
  }

  /** @return the share of all bytes between two moments that came from SSDs. */
  public OptionalDouble offload(long fromMillis, long toMillis) {
    Sample part = between(fromMillis, toMillis);
    return share(part.fromLocalCache(), part.fromLocalCache() + part.fromReplicas());
  }

  /** @return the share of the reads of admitted blocks that SSDs served alone. */
  public OptionalDouble reuse() {
    return reuse(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** @return the same between two moments. */
  public OptionalDouble reuse(long fromMillis, long toMillis) {
    Sample part = between(fromMillis, toMillis);
    return share(part.hits(), part.admitted());
  }

  /** @return the share of all bytes that came from SSDs. */
  public OptionalDouble offload() {
    return offload(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static OptionalDouble share(long part, long whole) {
    return whole <= 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
  }
}
