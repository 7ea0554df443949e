/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;

/** The blocks of a trace, whatever their generation stamps, numbered from 0. */
final class Blocks {

  private final Trace trace;
  private final int[] blockOfReplica;
  private final int blocks;

  Blocks(Trace trace) {
    this.trace = trace;
    this.blockOfReplica = new int[trace.replicas().size()];
    Map<Replica, Integer> numbers = new HashMap<>();
    for (int i = 0; i < blockOfReplica.length; i++) {
      Replica replica = trace.replicas().get(i);
      blockOfReplica[i] = numbers.computeIfAbsent(
          new Replica(replica.blockPool(), replica.blockId(), 0), block -> numbers.size());
    }
    this.blocks = numbers.size();
  }

  /** @return number of blocks. */
  int size() {
    return blocks;
  }

  /** @return the block of an access. */
  int of(Access access) {
    return blockOfReplica[access.replica()];
  }

  /** @return how often each block was read. */
  long[] reads() {
    long[] reads = new long[blocks];
    for (Access access : trace.accesses()) {
      reads[of(access)] += access.isRead() ? 1 : 0;
    }
    return reads;
  }

  /** @return the same of the blocks that were read, the most read first. */
  long[] readsDescending() {
    return Arrays.stream(reads()).filter(reads -> reads > 0).map(reads -> -reads).sorted()
        .map(reads -> -reads).toArray();
  }

  /** @return bytes of each block, of its largest replica. */
  long[] bytes() {
    long[] bytes = new long[blocks];
    for (int i = 0; i < blockOfReplica.length; i++) {
      int block = blockOfReplica[i];
      bytes[block] = Math.max(bytes[block], trace.replicaBytes()[i]);
    }
    return bytes;
  }
}
