/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Assigns reads to the tasks of a replay, and blocks of the trace to blocks of the cluster. The
 * blocks read are numbered by pool and id; the n-th uses the n-th block of the cluster, starting
 * again at the end. So the same trace is always mapped in the same way, and evenly.
 */
final class ReplayPlan {

  private static final int NOBODY = -1;

  private final Trace trace;
  private final double rate;
  /** By reader. */
  private final int[] taskOf;
  /** By replica: number of its block among the blocks read. */
  private final int[] blockOf;
  private final int blocksRead;
  private final int tasks;
  private long operations;
  private long notReads;
  private long empty;
  private long wrapped;
  private long shortened;

  /**
   * A read to do: a line in the file of a task.
   *
   * @param atMillis when, since the start
   * @param file number of the file
   * @param offset first byte in the file
   * @param length bytes
   */
  record Operation(long atMillis, int file, long offset, int length) {

    static Operation parse(String line) {
      String[] words = line.split(" ");
      return new Operation(Long.parseLong(words[0]), Integer.parseInt(words[1]),
          Long.parseLong(words[2]), Integer.parseInt(words[3]));
    }

    @Override
    public String toString() {
      return atMillis + " " + file + " " + offset + " " + length;
    }
  }

  /** @param mappers maximum number of tasks; 0: one for each reader */
  ReplayPlan(Trace trace, double rate, int mappers) {
    this.trace = trace;
    this.rate = rate;
    this.taskOf = new int[trace.readers().size()];
    Arrays.fill(taskOf, NOBODY);
    this.blockOf = trace.blocks();
    BitSet read = new BitSet();
    int readers = 0;
    for (Access access : trace.accesses()) {
      if (access.isRead()) {
        read.set(blockOf[access.replica()]);
      }
      if (isReplayed(access)) {
        operations++;
        if (taskOf[access.reader()] == NOBODY) {
          taskOf[access.reader()] = mappers == 0 ? readers : readers % mappers;
          readers++;
        }
      } else if (access.isRead()) {
        empty++;
      } else {
        notReads++;
      }
    }
    this.tasks = mappers == 0 ? readers : Math.min(mappers, readers);
    int[] among = new int[read.length()];
    int blocks = 0;
    for (int block = read.nextSetBit(0); block >= 0; block = read.nextSetBit(block + 1)) {
      among[block] = blocks++;
    }
    this.blocksRead = blocks;
    Arrays.setAll(blockOf, i -> blockOf[i] < among.length ? among[blockOf[i]] : NOBODY);
  }

  private static boolean isReplayed(Access access) {
    return access.isRead() && access.length() > 0;
  }

  /** @return the name of a file of data. */
  static String file(int number) {
    return Text.format("file-%06d", number);
  }

  /**
   * Writes a file for each task, all at once.
   *
   * @param directory of these files
   * @param files number of files of data
   * @param perFile blocks in each of them
   * @param blockBytes bytes of each block
   */
  void write(FileSystem fs, Path directory, int files, int perFile, long blockBytes)
      throws IOException {
    Writer[] outs = new Writer[tasks];
    try {
      for (int task = 0; task < tasks; task++) {
        outs[task] = new BufferedWriter(new OutputStreamWriter(
            fs.create(new Path(directory, Text.format("task-%06d", task)), false),
            StandardCharsets.UTF_8));
      }
      for (Access access : trace.accesses()) {
        if (isReplayed(access)) {
          outs[taskOf[access.reader()]]
              .append(operation(access, files, perFile, blockBytes).toString()).append('\n');
        }
      }
    } finally {
      for (Writer out : outs) {
        if (out != null) {
          out.close();
        }
      }
    }
  }

  /** @return a read of the trace mapped to the cluster. */
  Operation operation(Access read, int files, int perFile, long blockBytes) {
    int place = blockOf[read.replica()] % (files * perFile);
    long offset = read.offset();
    if (offset >= blockBytes) {
      wrapped++;
      offset %= blockBytes;
    }
    long length = read.length();
    if (length > blockBytes - offset) {
      shortened++;
      length = blockBytes - offset;
    }
    return new Operation((long) ((read.timeMillis() - trace.startMillis()) / rate),
        place / perFile, place % perFile * blockBytes + offset,
        (int) Math.min(Integer.MAX_VALUE, length));
  }

  /** @return number of blocks that are read in the trace. */
  int blocksRead() {
    return blocksRead;
  }

  /** @return number of tasks. */
  int tasks() {
    return tasks;
  }

  /** @return reads that will be done. */
  long operations() {
    return operations;
  }

  /** @return writes and short-circuit reads, which are left out. */
  long notReads() {
    return notReads;
  }

  /** @return reads of no bytes, which are left out. */
  long empty() {
    return empty;
  }

  /** @return reads beyond the end of their block, wrapped modulo its length. */
  long wrapped() {
    return wrapped;
  }

  /** @return reads shortened at the end of their block. */
  long shortened() {
    return shortened;
  }
}
