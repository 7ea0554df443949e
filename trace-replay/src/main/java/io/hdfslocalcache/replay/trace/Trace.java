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
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;

/**
 * What clients did on one DataNode. May be shared between threads; nobody changes it.
 *
 * @param accesses what they did, ordered by the time at which it began; not empty
 * @param replicas replicas by their numbers
 * @param replicaBytes bytes by the replica's number; if the trace does not tell, the end of what
 *     was read of it
 * @param readers addresses by the reader's number; empty if unknown
 * @param hasReaders whether all of the trace tells who read
 */
public record Trace(List<Access> accesses, List<Replica> replicas, long[] replicaBytes,
    List<String> readers, boolean hasReaders) {

  /** @return number of accesses. */
  public int size() {
    return accesses.size();
  }

  /** @return what an access was to. */
  public Replica replica(Access access) {
    return replicas.get(access.replica());
  }

  /** @return when the first access began, in milliseconds since 1970. */
  public long startMillis() {
    return accesses.get(0).timeMillis();
  }

  /** @return milliseconds from the first access to the last, at least 1. */
  public long spanMillis() {
    return Math.max(1, accesses.get(size() - 1).timeMillis() - startMillis());
  }

  /**
   * Numbers the blocks, whatever their generation stamps, in the order of pool and id.
   *
   * @return the number of its block, by replica
   */
  public int[] blocks() {
    int[] blocks = new int[replicas.size()];
    int[] sorted = IntStream.range(0, blocks.length).boxed()
        .sorted(Comparator.comparing((Integer i) -> replicas.get(i).blockPool())
            .thenComparingLong(i -> replicas.get(i).blockId())).mapToInt(i -> i).toArray();
    for (int i = 1; i < sorted.length; i++) {
      Replica before = replicas.get(sorted[i - 1]);
      Replica replica = replicas.get(sorted[i]);
      boolean isSame = replica.blockId() == before.blockId()
          && replica.blockPool().equals(before.blockPool());
      blocks[sorted[i]] = blocks[sorted[i - 1]] + (isSame ? 0 : 1);
    }
    return blocks;
  }

  /**
   * One version of a block. Pages of one version are of no use to readers of another, as in the
   * DataNode.
   *
   * @param blockPool the block pool; empty if the trace does not tell
   * @param blockId the block
   * @param generationStamp its version; 0 if the trace does not tell
   */
  public record Replica(String blockPool, long blockId, long generationStamp) {
  }

  /**
   * What a client did once. Replicas and readers are numbers that their {@link Trace} explains.
   *
   * @param op what was done
   * @param timeMillis milliseconds since 1970 when it began
   * @param replica number of the replica
   * @param offset first byte
   * @param length bytes of block data
   * @param durationMicros microseconds it took, or {@link #UNKNOWN}
   * @param reader number of the reader
   * @param outcome what a local cache made of a read, or null if unknown
   */
  public record Access(Op op, long timeMillis, int replica, long offset, long length,
      int durationMicros, int reader, ReadOutcome outcome) {

    /** Duration of an access of which the trace does not tell. */
    public static final int UNKNOWN = -1;

    /** @return whether a client read through the DataNode: all that a local cache hears of. */
    public boolean isRead() {
      return op == Op.READ;
    }

    /** What a client did. */
    public enum Op {
      /** Read a range of a block through the DataNode. */
      READ,
      /** Wrote a block. */
      WRITE,
      /** Opened a block's files itself; the DataNode does not see what it read then. */
      SHORT_CIRCUIT;

      private final String text = name().toLowerCase(Locale.ROOT);

      /** @return the name in files. */
      public String text() {
        return text;
      }
    }
  }

  /** Collects accesses in any order, and makes a trace of them. */
  public static final class TraceBuilder {

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
}
