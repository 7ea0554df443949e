/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.benchmark.replay.Data.Place;
import io.hdfslocalcache.replay.benchmark.replay.Input.Operation;
import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Replica;
import io.hdfslocalcache.replay.trace.Trace;

/**
 * Which block of the cluster stands for which of the trace. Blocks that are read are counted in the
 * order of pool and id; the n-th stands at the n-th place, beginning again when there are no more.
 * So the same trace is always mapped in the same way, and as evenly as can be.
 */
final class Mapping {

  private static final int NOT_READ = -1;

  private final Trace trace;
  private final List<Place> places;
  private final int[] blocks;
  private long wrapped;
  private long shortened;

  Mapping(Trace trace, List<Place> places) {
    this.trace = trace;
    this.places = places;
    this.blocks = number(trace);
  }

  /** @return the number of its block, by replica. */
  private static int[] number(Trace trace) {
    int[] blocks = new int[trace.replicas().size()];
    Arrays.fill(blocks, NOT_READ);
    trace.accesses().stream().filter(Access::isRead).forEach(read -> blocks[read.replica()] = 0);
    int[] sorted = IntStream.range(0, blocks.length).filter(i -> blocks[i] != NOT_READ).boxed()
        .sorted(Comparator.comparing((Integer i) -> trace.replicas().get(i).blockPool())
            .thenComparingLong(i -> trace.replicas().get(i).blockId()))
        .mapToInt(i -> i).toArray();
    int block = -1;
    Replica last = null;
    for (int i : sorted) {
      Replica replica = trace.replicas().get(i);
      // Another generation stamp is the same block, written on.
      if (last == null || replica.blockId() != last.blockId()
          || !replica.blockPool().equals(last.blockPool())) {
        block++;
      }
      blocks[i] = block;
      last = replica;
    }
    return blocks;
  }

  /** @return number of blocks that are read in a trace. */
  static int blocksRead(Trace trace) {
    return IntStream.of(number(trace)).max().orElse(NOT_READ) + 1;
  }

  /** @return a read of the trace as one of the cluster. */
  Operation operation(int access, long atMillis) {
    Access read = trace.accesses().get(access);
    Place place = places.get(blocks[read.replica()] % places.size());
    long offset = read.offset();
    if (offset >= place.length()) {
      wrapped++;
      offset %= place.length();
    }
    long length = read.length();
    if (length > place.length() - offset) {
      shortened++;
      length = place.length() - offset;
    }
    return new Operation(atMillis, place.file(), place.offset() + offset,
        (int) Math.min(Integer.MAX_VALUE, length));
  }

  /** @return reads beyond the end of their place, put modulo its length. */
  long wrapped() {
    return wrapped;
  }

  /** @return reads that would have gone beyond the end. */
  long shortened() {
    return shortened;
  }
}
