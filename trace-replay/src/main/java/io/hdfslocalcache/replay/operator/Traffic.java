/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.util.List;
import java.util.OptionalDouble;

/** Where the bytes came from while a benchmark ran, over its time. */
public final class Traffic {

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

  /** @return the share of the reads of admitted blocks between two moments that SSDs served alone. */
  public OptionalDouble reuse(long fromMillis, long toMillis) {
    Sample part = between(fromMillis, toMillis);
    return share(part.hits(), part.admitted());
  }

  private static OptionalDouble share(long part, long whole) {
    return whole <= 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
  }
}
