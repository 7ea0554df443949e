/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/**
 * What clients did on one DataNode, ordered by the time at which they began. Accesses are numbered
 * from 0, and so are replicas and readers. Immutable; may be shared between threads.
 */
public final class Trace {

  private static final ReadOutcome[] OUTCOMES = ReadOutcome.values();

  private final AccessColumns columns;
  private final Replica[] replicas;
  private final long[] replicaBytes;
  private final String[] readers;
  private final boolean hasReaders;

  Trace(AccessColumns columns, Replica[] replicas, long[] replicaBytes, String[] readers,
      boolean hasReaders) {
    this.columns = columns;
    this.replicas = replicas;
    this.replicaBytes = replicaBytes;
    this.readers = readers;
    this.hasReaders = hasReaders;
  }

  /** @return number of accesses. */
  public int size() {
    return columns.size();
  }

  /** @return when an access began, in milliseconds since 1970. */
  public long timeMillis(int access) {
    return columns.time[access];
  }

  /** @return what was done. */
  public Op op(int access) {
    return Op.of(columns.op[access]);
  }

  /** @return whether a client read through the DataNode: all that a local cache hears of. */
  public boolean isRead(int access) {
    return columns.op[access] == 0;
  }

  /** @return number of the replica. */
  public int replica(int access) {
    return columns.replica[access];
  }

  /** @return first byte. */
  public long offset(int access) {
    return columns.offset[access];
  }

  /** @return bytes of block data. */
  public long length(int access) {
    return columns.length[access];
  }

  /** @return microseconds it took, or -1 if that is unknown. */
  public int durationMicros(int access) {
    return columns.duration[access];
  }

  /** @return what a local cache made of a read, or null if that is unknown. */
  public ReadOutcome outcome(int access) {
    int number = columns.outcome[access];
    return number == 0 ? null : OUTCOMES[number - 1];
  }

  /** @return number of the reader. */
  public int reader(int access) {
    return columns.reader[access];
  }

  /** @return number of replicas. */
  public int replicas() {
    return replicas.length;
  }

  /** @return a replica by its number. */
  public Replica replicaAt(int number) {
    return replicas[number];
  }

  /** @return bytes in a replica; if the trace does not tell, the end of what was read of it. */
  public long replicaBytes(int number) {
    return replicaBytes[number];
  }

  /** @return number of readers. */
  public int readers() {
    return readers.length;
  }

  /** @return address of a reader; empty if unknown. */
  public String readerAt(int number) {
    return readers[number];
  }

  /** @return whether all of the trace tells who read. */
  public boolean hasReaders() {
    return hasReaders;
  }

  /** @return when the first access began, in milliseconds since 1970. */
  public long startMillis() {
    return timeMillis(0);
  }

  /** @return milliseconds from the first access to the last, at least 1. */
  public long spanMillis() {
    return Math.max(1, timeMillis(size() - 1) - startMillis());
  }
}
