/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects accesses in any order, and makes a trace of them. */
public final class TraceBuilder {

  private final AccessColumns columns = new AccessColumns();
  private final Map<Replica, Integer> replicaNumbers = new HashMap<>();
  private final List<Replica> replicas = new ArrayList<>();
  private final Map<String, Integer> readerNumbers = new HashMap<>();
  private final List<String> readers = new ArrayList<>();
  private final Access access = new Access();
  private long[] replicaBytes = new long[16];
  private boolean hasReaders = true;

  /** @return number of accesses so far. */
  public int size() {
    return columns.size();
  }

  /** @return the number of a replica, which it gets when it is first asked for. */
  public int replica(Replica replica) {
    Integer known = replicaNumbers.putIfAbsent(replica, replicas.size());
    if (known != null) {
      return known;
    }
    int number = replicas.size();
    replicas.add(replica);
    if (number == replicaBytes.length) {
      replicaBytes = Arrays.copyOf(replicaBytes, 2 * number);
    }
    return number;
  }

  /** @return the number of a reader, which it gets when it is first asked for. */
  public int reader(String address) {
    Integer known = readerNumbers.putIfAbsent(address, readers.size());
    if (known != null) {
      return known;
    }
    readers.add(address);
    return readers.size() - 1;
  }

  /** Says that a replica has at least this many bytes. */
  public void atLeast(int replica, long bytes) {
    replicaBytes[replica] = Math.max(replicaBytes[replica], bytes);
  }

  /**
   * Adds an access.
   *
   * @param op what was done
   * @param timeMillis milliseconds since 1970 when it began
   * @param replica number of the replica
   * @param offset first byte
   * @param length bytes of block data
   * @param reader number of the reader
   */
  public void add(Op op, long timeMillis, int replica, long offset, long length, int reader) {
    access.clear();
    access.op = op;
    access.timeMillis = timeMillis;
    access.offset = offset;
    access.length = length;
    add(access, replica, reader);
  }

  void add(Access from) {
    int number = replica(new Replica(from.blockPool, from.blockId, from.generationStamp));
    atLeast(number, from.blockBytes);
    add(from, number, reader(from.reader));
  }

  private void add(Access from, int replica, int reader) {
    atLeast(replica, from.offset + from.length);
    columns.add(from, replica, reader);
  }

  /** Says that what is added does not tell who read. */
  void withoutReaders() {
    hasReaders = false;
  }

  /**
   * Makes the trace. The builder is of no use any more.
   *
   * @throws TraceException if the times are too far apart to be sorted
   */
  public Trace build() throws TraceException {
    columns.sort();
    return new Trace(columns, replicas.toArray(new Replica[0]),
        Arrays.copyOf(replicaBytes, replicas.size()), readers.toArray(new String[0]), hasReaders);
  }
}
