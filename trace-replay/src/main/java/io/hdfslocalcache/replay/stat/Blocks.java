/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.replay.trace.Replica;
import io.hdfslocalcache.replay.trace.Trace;

/** The blocks of a trace, whatever their generation stamps, numbered from 0. */
final class Blocks {

  private final int[] blockOfReplica;
  private final int blocks;

  Blocks(Trace trace) {
    blockOfReplica = new int[trace.replicas()];
    Map<Replica, Integer> numbers = new HashMap<>();
    for (int i = 0; i < blockOfReplica.length; i++) {
      Replica replica = trace.replicaAt(i);
      Replica block = new Replica(replica.blockPool(), replica.blockId(), 0);
      Integer known = numbers.putIfAbsent(block, numbers.size());
      blockOfReplica[i] = known == null ? numbers.size() - 1 : known;
    }
    blocks = numbers.size();
  }

  /** @return number of blocks. */
  int size() {
    return blocks;
  }

  /** @return the block of a replica. */
  int of(int replica) {
    return blockOfReplica[replica];
  }
}
