/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.WritableUtils;

/** Gives each task of a replay its readers' reads, in a file for each. */
final class ReplayTasks {

  private static final int NOBODY = -1;

  private final Trace trace;
  private final double rate;
  private final int[] taskOf;
  private final int[] counts;
  private long notReads;
  private long empty;

  /**
   * A read to be done.
   *
   * @param atMillis when, since the start
   * @param file number of the file
   * @param offset first byte in the file
   * @param length bytes
   */
  record Operation(long atMillis, int file, long offset, int length) {

    private void write(DataOutputStream out) throws IOException {
      WritableUtils.writeVLong(out, atMillis);
      WritableUtils.writeVInt(out, file);
      WritableUtils.writeVLong(out, offset);
      WritableUtils.writeVInt(out, length);
    }

    private static Operation read(DataInputStream in) throws IOException {
      return new Operation(WritableUtils.readVLong(in), WritableUtils.readVInt(in),
          WritableUtils.readVLong(in), WritableUtils.readVInt(in));
    }
  }

  /**
   * What one task does.
   *
   * @param files the files by their numbers
   * @param operations the reads, in the order of time
   */
  record Task(List<Path> files, List<Operation> operations) {
  }

  /** @param mappers number of tasks at most; 0: one for each reader */
  ReplayTasks(Trace trace, double rate, int mappers) {
    this.trace = trace;
    this.rate = rate;
    this.taskOf = new int[trace.readers().size()];
    Arrays.fill(taskOf, NOBODY);
    int readers = 0;
    for (Access access : trace.accesses()) {
      if (isReplayed(access) && taskOf[access.reader()] == NOBODY) {
        taskOf[access.reader()] = mappers == 0 ? readers : readers % mappers;
        readers++;
      }
    }
    this.counts = new int[mappers == 0 ? readers : Math.min(mappers, readers)];
    count();
  }

  private static boolean isReplayed(Access access) {
    return access.isRead() && access.length() > 0;
  }

  private void count() {
    for (Access access : trace.accesses()) {
      if (isReplayed(access)) {
        counts[taskOf[access.reader()]]++;
      } else if (access.isRead()) {
        empty++;
      } else {
        notReads++;
      }
    }
  }

  private static Path path(Path directory, int task) {
    return new Path(directory, Text.format("task-%06d", task));
  }

  /** Writes a file for each task, all at a time. */
  void write(FileSystem fs, Path directory, Mapping mapping) throws IOException {
    DataOutputStream[] outs = new DataOutputStream[counts.length];
    try {
      for (int task = 0; task < outs.length; task++) {
        outs[task] = fs.create(path(directory, task), false);
        outs[task].writeInt(mapping.places().files().size());
        for (Path file : mapping.places().files()) {
          outs[task].writeUTF(file.toUri().getPath());
        }
        outs[task].writeInt(counts[task]);
      }
      for (int i = 0; i < trace.size(); i++) {
        Access access = trace.accesses().get(i);
        if (isReplayed(access)) {
          long at = (long) ((access.timeMillis() - trace.startMillis()) / rate);
          mapping.operation(i, at).write(outs[taskOf[access.reader()]]);
        }
      }
    } finally {
      for (DataOutputStream out : outs) {
        if (out != null) {
          out.close();
        }
      }
    }
  }

  /** Reads the file of a task. */
  static Task read(FileSystem fs, Path directory, int task) throws IOException {
    try (DataInputStream in = fs.open(path(directory, task))) {
      List<Path> files = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        files.add(new Path(in.readUTF()));
      }
      List<Operation> operations = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        operations.add(Operation.read(in));
      }
      return new Task(files, operations);
    }
  }

  /** @return number of tasks. */
  int number() {
    return counts.length;
  }

  /** @return reads that will be done. */
  long operations() {
    return Arrays.stream(counts).asLongStream().sum();
  }

  /** @return writes and short-circuit reads, which are left out. */
  long notReads() {
    return notReads;
  }

  /** @return reads of no bytes, which are left out. */
  long empty() {
    return empty;
  }
}
