/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;

/** Collects accesses in any order, and makes a trace of them. */
public final class TraceBuilder {

  private final List<Access> accesses = new ArrayList<>();
  private final Map<Replica, Integer> replicas = new LinkedHashMap<>();
  private final List<Long> replicaBytes = new ArrayList<>();
  private final Map<String, Integer> readers = new LinkedHashMap<>();
  private boolean hasReaders = true;

  /** @return number of accesses so far. */
  public int size() {
    return accesses.size();
  }

  /** @return the number of a replica, which it gets when it is first asked for. */
  public int replica(Replica replica) {
    int number = replicas.computeIfAbsent(replica, added -> replicas.size());
    if (number == replicaBytes.size()) {
      replicaBytes.add(0L);
    }
    return number;
  }

  /** @return the number of a reader, which it gets when it is first asked for. */
  public int reader(String address) {
    return readers.computeIfAbsent(address, added -> readers.size());
  }

  /** Says that a replica has at least this many bytes. */
  public void atLeast(int replica, long bytes) {
    if (bytes > replicaBytes.get(replica)) {
      replicaBytes.set(replica, bytes);
    }
  }

  /**
   * Adds an access of which no more is known.
   *
   * @param op what was done
   * @param timeMillis milliseconds since 1970 when it began
   * @param replica number of the replica
   * @param offset first byte
   * @param length bytes of block data
   * @param reader number of the reader
   */
  public void add(Op op, long timeMillis, int replica, long offset, long length, int reader) {
    add(new Access(op, timeMillis, replica, offset, length, Access.UNKNOWN, reader, null));
  }

  /**
   * Adds an access.
   *
   * @param read all that is known of it, be it a read or not; the reader is null where nobody
   *     writes down who reads
   */
  void add(Op op, TracedRead read) {
    int replica =
        replica(new Replica(read.blockPoolId(), read.blockId(), read.generationStamp()));
    atLeast(replica, read.replicaBytes());
    hasReaders &= read.reader() != null;
    add(new Access(op, read.startMillis(), replica, read.offset(), read.length(),
        (int) Math.min(Integer.MAX_VALUE, read.durationMicros()),
        reader(read.reader() == null ? "" : read.reader()), read.outcome()));
  }

  private void add(Access access) {
    atLeast(access.replica(), access.offset() + access.length());
    accesses.add(access);
  }

  /** Makes the trace. Accesses of the same time stay in their order. */
  public Trace build() {
    Access[] ordered = accesses.toArray(new Access[0]);
    Arrays.parallelSort(ordered, Comparator.comparingLong(Access::timeMillis));
    return new Trace(Collections.unmodifiableList(Arrays.asList(ordered)),
        List.copyOf(replicas.keySet()),
        replicaBytes.stream().mapToLong(Long::longValue).toArray(),
        List.copyOf(readers.keySet()), hasReaders);
  }
}
