/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.IOException;
import java.util.Arrays;

import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Gives each task its readers' reads. */
final class Split {

  private static final int NOBODY = -1;

  private final Trace trace;
  private final double rate;
  private final int[] taskOf;
  private final int tasks;
  private final int[] counts;
  private long notReads;
  private long empty;

  /** @param mappers number of tasks at most; 0: one for each reader */
  Split(Trace trace, double rate, int mappers) {
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
    this.tasks = mappers == 0 ? readers : Math.min(mappers, readers);
    this.counts = new int[tasks];
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

  /** Writes a file for each task, all at a time. */
  void write(FileSystem fs, Path directory, Mapping mapping) throws IOException {
    long start = trace.startMillis();
    Input.Writer[] writers = new Input.Writer[tasks];
    try {
      for (int task = 0; task < tasks; task++) {
        writers[task] = new Input.Writer(fs, directory, task, counts[task]);
      }
      for (int i = 0; i < trace.size(); i++) {
        Access access = trace.accesses().get(i);
        if (isReplayed(access)) {
          long at = (long) ((access.timeMillis() - start) / rate);
          writers[taskOf[access.reader()]].write(mapping.operation(i, at));
        }
      }
    } finally {
      for (Input.Writer writer : writers) {
        if (writer != null) {
          writer.close();
        }
      }
    }
  }

  int tasks() {
    return tasks;
  }

  /** @return reads that will be done. */
  long operations() {
    long sum = 0;
    for (int count : counts) {
      sum += count;
    }
    return sum;
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
