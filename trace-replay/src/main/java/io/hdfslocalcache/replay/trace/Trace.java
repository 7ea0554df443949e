/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;

/**
 * Accesses of clients on one DataNode. Immutable.
 *
 * @param accesses the accesses, ordered by start time; not empty
 * @param replicas replicas by their numbers
 * @param replicaBytes bytes by the replica's number; if unknown, the end of the last read
 * @param readers addresses by the reader's number; empty if unknown
 * @param hasReaders whether all accesses have a reader
 */
public record Trace(List<Access> accesses, List<Replica> replicas, long[] replicaBytes,
    List<String> readers, boolean hasReaders) {

  private static final double HOUR_MILLIS = 3_600_000;
  private static final long PAUSE_MILLIS = 3_600_000;
  private static final long MINUTE_MILLIS = 60_000;

  /** @return number of accesses. */
  public int size() {
    return accesses.size();
  }

  /** @return the replica of an access. */
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
   * Leaves out pauses of tracing. After a stop or a restart of the DataNode another file begins, so
   * no file has accesses before and after such a pause. Otherwise the time was quiet, and counts.
   *
   * @param spans the times in which files were traced
   * @param tell is told of each pause of more than an hour, in words
   * @return the same with a minute in the place of each
   */
  public Trace withoutPauses(List<Span> spans, Consumer<String> tell) {
    List<Access> closed = new ArrayList<>(size());
    long before = startMillis();
    long leftOut = 0;
    for (Access access : accesses) {
      Span gap = new Span(before, access.timeMillis());
      long pause = gap.last() - gap.first();
      if (pause > PAUSE_MILLIS && spans.stream().noneMatch(span -> span.covers(gap))) {
        tell.accept("Nothing was traced for " + Text.length(pause / HOUR_MILLIS) + " from "
            + Instant.ofEpochMilli(before) + ": this time is left out.");
        leftOut += pause - MINUTE_MILLIS;
      }
      before = access.timeMillis();
      closed.add(access.earlier(leftOut));
    }
    return leftOut == 0 ? this
        : new Trace(Collections.unmodifiableList(closed), replicas, replicaBytes, readers, hasReaders);
  }

  /**
   * Numbers the blocks by pool and id, ignoring generation stamps.
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
   * Time in which a file was traced.
   *
   * @param first milliseconds since 1970 of its first access
   * @param last milliseconds since 1970 of its last access
   */
  public record Span(long first, long last) {

    private boolean covers(Span other) {
      return first <= other.first && other.last <= last;
    }
  }

  /**
   * One version of a block. As in the DataNode, readers of another version cannot use its pages.
   *
   * @param blockPool the block pool; empty if unknown
   * @param blockId the block
   * @param generationStamp its version; 0 if unknown
   */
  public record Replica(String blockPool, long blockId, long generationStamp) {
  }

  /**
   * One access of a client. Replicas and readers are numbers of the {@link Trace}.
   *
   * @param op kind of access
   * @param timeMillis milliseconds since 1970 when it began
   * @param replica number of the replica
   * @param offset first byte
   * @param length bytes of block data
   * @param durationMicros duration in microseconds, or {@link #UNKNOWN}
   * @param reader number of the reader
   * @param outcome outcome of a read in a local cache, or null if unknown
   */
  public record Access(Op op, long timeMillis, int replica, long offset, long length,
      int durationMicros, int reader, ReadOutcome outcome) {

    /** Unknown duration. */
    public static final int UNKNOWN = -1;

    private Access earlier(long millis) {
      return millis == 0 ? this : new Access(op, timeMillis - millis, replica, offset, length,
          durationMicros, reader, outcome);
    }

    /** @return whether a client read through the DataNode: only such reads reach a local cache. */
    public boolean isRead() {
      return op == Op.READ;
    }

    /** Kind of access. */
    public enum Op {
      /** Read a range of a block through the DataNode. */
      READ,
      /** Wrote a block. */
      WRITE,
      /** Opened a block's files itself; the DataNode does not see its reads. */
      SHORT_CIRCUIT;

      private final String text = name().toLowerCase(Locale.ROOT);

      /** @return the name in files. */
      public String text() {
        return text;
      }
    }
  }

  /** Collects accesses in any order, and builds a trace. */
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

    /** @return the number of a replica, assigned at the first call. */
    public int replica(Replica replica) {
      int number = replicas.computeIfAbsent(replica, added -> replicas.size());
      if (number == replicaBytes.size()) {
        replicaBytes.add(0L);
      }
      return number;
    }

    /** @return the number of a reader, assigned at the first call. */
    public int reader(String address) {
      return readers.computeIfAbsent(address, added -> readers.size());
    }

    /** Sets a minimum length of a replica. */
    public void atLeast(int replica, long bytes) {
      if (bytes > replicaBytes.get(replica)) {
        replicaBytes.set(replica, bytes);
      }
    }

    /**
     * Adds an access without further details.
     *
     * @param op kind of access
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
     * @param read its details, for reads and other accesses; the reader is null if not recorded
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

    /** Builds the trace. Accesses of the same time keep their order. */
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
