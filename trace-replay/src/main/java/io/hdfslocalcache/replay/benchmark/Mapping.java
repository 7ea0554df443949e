/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.benchmark.ReplayTasks.Operation;
import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Which block of the cluster stands for which of the trace. Blocks that are read are counted in the
 * order of pool and id; the n-th stands at the n-th place, beginning again when there are no more.
 * So the same trace is always mapped in the same way, and as evenly as can be.
 */
final class Mapping {

  private static final int NOT_READ = -1;

  private final Trace trace;
  private final Places places;
  private final int[] blocks;
  private long wrapped;
  private long shortened;

  Mapping(Trace trace, Places places) {
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

  /** @return the blocks of the cluster. */
  Places places() {
    return places;
  }

  /** @return a read of the trace as one of the cluster. */
  Operation operation(int access, long atMillis) {
    Access read = trace.accesses().get(access);
    Places.Place place = places.all().get(blocks[read.replica()] % places.all().size());
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

  /**
   * What is read in a replay.
   *
   * @param files the files by their numbers
   * @param all every block of every file
   */
  record Places(List<Path> files, List<Place> all) {

    /**
     * A block of the cluster that stands for one of the trace.
     *
     * @param file number of its file
     * @param offset where it begins in the file
     * @param length its bytes
     */
    record Place(int file, long offset, long length) {
    }

    /** Finds what is in a directory. */
    static Places find(FileSystem fs, Path directory) throws IOException {
      Places places = new Places(new ArrayList<>(), new ArrayList<>());
      FileStatus[] all = fs.listStatus(directory);
      Arrays.sort(all, Comparator.comparing(status -> status.getPath().getName()));
      for (FileStatus status : all) {
        if (status.isFile() && status.getLen() > 0) {
          places.add(status);
        }
      }
      if (places.all.isEmpty()) {
        throw new IOException(directory + ": no files to read");
      }
      return places;
    }

    private void add(FileStatus status) {
      for (long at = 0; at < status.getLen(); at += status.getBlockSize()) {
        all.add(new Place(
            files.size(), at, Math.min(status.getBlockSize(), status.getLen() - at)));
      }
      files.add(status.getPath());
    }

    /** @return bytes of all blocks. */
    long bytes() {
      return all.stream().mapToLong(Place::length).sum();
    }
  }
}
