/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/**
 * Where the bytes of one read came from. The DataNode sends whole chunks; counted is only what was
 * asked for, as in reads without pages, or small reads would make the offload look better than it
 * is. Used by one thread.
 */
final class ServedBytes {

  private long from;
  private long to = Long.MAX_VALUE;
  private long pageBytes;
  private long replicaBytes;
  private long memoryBytes;
  private boolean foundPage;
  private boolean usedPage;
  private boolean usedReplica;

  /** Sets the range of the block that the client asked for. */
  void askedFor(long newFrom, long newTo) {
    from = newFrom;
    to = newTo;
  }

  /** Bytes of a page are at hand. */
  void found(PageBytes.Origin origin) {
    if (origin == PageBytes.Origin.REPLICA) {
      usedReplica = true;
    } else {
      foundPage = true;
    }
  }

  /** Bytes of a page were sent. */
  void fromPage(long offset, int length, PageBytes.Origin origin) {
    if (origin == PageBytes.Origin.REPLICA) {
      fromReplica(offset, length);
      return;
    }
    usedPage |= length > 0;
    long asked = askedForOf(offset, length);
    pageBytes += asked;
    memoryBytes += origin == PageBytes.Origin.MEMORY ? asked : 0;
  }

  /** The replica is needed for the next bytes. */
  void usesReplica() {
    usedReplica = true;
  }

  void fromReplica(long offset, int length) {
    replicaBytes += askedForOf(offset, length);
  }

  private long askedForOf(long offset, int length) {
    return Math.max(0, Math.min(offset + length, to) - Math.max(offset, from));
  }

  long pageBytes() {
    return pageBytes;
  }

  long replicaBytes() {
    return replicaBytes;
  }

  long memoryBytes() {
    return memoryBytes;
  }

  /**
   * @param withoutPages the outcome if no page was used
   * @return what became of the read; a hit, too, if the client left before the first byte of a page
   *     that was there for it
   */
  ReadOutcome outcome(ReadOutcome withoutPages) {
    if (usedReplica) {
      return usedPage ? ReadOutcome.PARTIAL_HIT : withoutPages;
    }
    return usedPage || foundPage ? ReadOutcome.HIT : withoutPages;
  }
}
