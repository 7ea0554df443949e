/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.util.Optional;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/**
 * One read of a client, from the request to the last byte. Used by one thread.
 */
public final class ClientRead {

  /** Is told of the end of reads. */
  public interface Listener {
    /**
     * A read has ended.
     *
     * @param to byte after the last that was sent; at most {@code read.from()} if none was
     */
    void finished(ClientRead read, ReadOutcome outcome, long to);
  }

  private final Listener listener;
  private final ReplicaSnapshot snapshot;
  private final long from;
  private final long to;
  private final ReadOutcome withoutPages;
  private final SnapshotReader reader;
  private boolean finished;
  private long replicaNanos;
  private long end;

  private ClientRead(Listener listener, ReplicaSnapshot snapshot, long from, long to,
      ReadOutcome withoutPages, SnapshotReader reader) {
    this.listener = listener;
    this.snapshot = snapshot;
    this.from = from;
    this.to = to;
    this.withoutPages = withoutPages;
    this.reader = reader;
  }

  /** A read that the DataNode serves from the replica, as without a local cache. */
  public static ClientRead ofReplica(Listener listener, ReplicaSnapshot snapshot, long from,
      long to, ReadOutcome outcome) {
    return new ClientRead(listener, snapshot, from, to, outcome, null);
  }

  /**
   * A read on a DataNode without an SSD.
   *
   * @param offset first byte asked for
   * @param length bytes asked for; negative: all
   */
  public static ClientRead withoutLocalCache(ReplicaSnapshot snapshot, long offset,
      long length) {
    return ofReplica((read, outcome, end) -> { }, snapshot, offset,
        snapshot.end(offset, length), ReadOutcome.BYPASS_OFF);
  }

  /** A read with some cached pages. */
  public static ClientRead ofPages(Listener listener, ReplicaSnapshot snapshot, long from,
      long to, SnapshotReader reader) {
    reader.askedFor(from, to);
    return new ClientRead(listener, snapshot, from, to, ReadOutcome.MISS_ADMITTED, reader);
  }

  /** @return the reader that replaces the replica's files, if any. */
  public Optional<SnapshotReader> reader() {
    return Optional.ofNullable(reader);
  }

  /** @return the replica's state when the read began. */
  public ReplicaSnapshot snapshot() {
    return snapshot;
  }

  /** @return first byte asked for. */
  public long from() {
    return from;
  }

  /** @return byte after the last requested byte that was sent, after the end of the read. */
  public long end() {
    return end;
  }

  /** @return bytes that came from the SSD. */
  public long bytesFromPages() {
    return reader == null ? 0 : reader.bytesFromPages();
  }

  /** @return bytes that came from the data volume, given where the read ended. */
  public long bytesFromReplica(long end) {
    return reader == null ? Math.max(0, end - from) : reader.bytesFromReplica();
  }

  /** The DataNode has read data from the replica. @param nanos how long that took */
  public void replicaRead(long nanos) {
    replicaNanos += nanos;
  }

  /** @return nanoseconds for which the DataNode itself read data from the replica. */
  public long replicaNanos() {
    return replicaNanos;
  }

  /**
   * Ends the read. Only the first call counts.
   *
   * @param offset byte after the last that was sent; may be beyond the requested end, because
   *     chunks are sent whole
   * @return whether it had not ended before
   */
  public boolean finish(long offset) {
    boolean first = !finished;
    if (first) {
      finished = true;
      end = Math.min(offset, to);
      if (reader != null) {
        reader.finished();
      }
      listener.finished(this, outcome(), end);
    }
    return first;
  }

  /** Ends a read that nobody will read. */
  public void abandon() {
    try {
      if (reader != null) {
        reader.close();
      }
    } finally {
      finish(from);
    }
  }

  /** @return the outcome of the read, after its end. */
  public ReadOutcome outcome() {
    return reader == null ? withoutPages : reader.outcome(withoutPages);
  }
}
