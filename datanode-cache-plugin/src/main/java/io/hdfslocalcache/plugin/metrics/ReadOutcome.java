/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

/**
 * The outcome of a client read. Every read has one outcome; its bytes are counted separately,
 * because one read may get bytes from both the SSD and the data volume.
 */
public enum ReadOutcome {
  /** All bytes came from the SSD. */
  HIT("ReadsHit", "Client reads served from the SSD only"),
  /** Some bytes came from the SSD. */
  PARTIAL_HIT("ReadsPartialHit", "Client reads served from both the SSD and a data volume"),
  /** No byte was cached, and the block is not admitted. */
  MISS_NOT_ADMITTED("ReadsMissNotAdmitted", "Client reads of blocks that are not admitted"),
  /** No byte was cached; a fill was requested. */
  MISS_ADMITTED("ReadsMissAdmitted", "Client reads of admitted blocks whose pages were not cached"),
  /** The local cache was off. */
  BYPASS_OFF("ReadsBypassOff", "Client reads while the local cache was off"),
  /** A DataNode reads to reconstruct an erasure-coded block. */
  BYPASS_NOT_CLIENT("ReadsBypassNotClient", "Reads without a client's name"),
  /** The replica is being written or recovered. */
  BYPASS_NOT_FINALIZED("ReadsBypassNotFinalized", "Client reads of replicas not finalized"),
  /** The replica cannot be cached, for example because it is on an SSD of HDFS. */
  BYPASS_UNSUPPORTED("ReadsBypassUnsupported", "Client reads of replicas that cannot be cached"),
  /** The SSD of the block is down, or no SSD is in use. */
  BYPASS_UNHEALTHY("ReadsBypassUnhealthy",
      "Client reads of blocks whose SSD is down, or while no SSD is in use"),
  /** The local cache failed before the read began; the read went on without it. */
  BYPASS_ERROR("ReadsBypassError", "Client reads bypassed on an internal error");

  private final String metric;
  private final String description;

  ReadOutcome(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  /** @return name of the metric that counts the reads with this outcome. */
  public String metric() {
    return metric;
  }

  /** @return what the metric means. */
  public String description() {
    return description;
  }

  /** @return whether the read bypassed the local cache. */
  public boolean isBypass() {
    return ordinal() >= BYPASS_OFF.ordinal();
  }
}
