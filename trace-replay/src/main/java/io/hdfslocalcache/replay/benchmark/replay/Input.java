/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.WritableUtils;

/** What the tasks are told in files: which reads to do, and the names of the files. */
final class Input {

  /**
   * A read to be done.
   *
   * @param atMillis when, since the start
   * @param file number of the file
   * @param offset first byte in the file
   * @param length bytes
   */
  record Operation(long atMillis, int file, long offset, int length) {
  }

  private static final String FILES = "files";

  private Input() {
  }

  private static Path path(Path directory, int task) {
    return new Path(directory, String.format("task-%06d", task));
  }

  static void writeFiles(FileSystem fs, Path directory, List<Path> files) throws IOException {
    try (DataOutputStream out = fs.create(new Path(directory, FILES), false)) {
      out.writeInt(files.size());
      for (Path file : files) {
        out.writeUTF(file.toUri().getPath());
      }
    }
  }

  static List<Path> readFiles(FileSystem fs, Path directory) throws IOException {
    try (DataInputStream in = fs.open(new Path(directory, FILES))) {
      List<Path> files = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        files.add(new Path(in.readUTF()));
      }
      return files;
    }
  }

  /** A file of operations that is being written, in the order of time. */
  static final class Writer implements AutoCloseable {

    private final DataOutputStream out;
    private long lastMillis;

    Writer(FileSystem fs, Path directory, int task, int operations) throws IOException {
      out = fs.create(path(directory, task), false);
      out.writeInt(operations);
    }

    void write(Operation operation) throws IOException {
      WritableUtils.writeVLong(out, operation.atMillis() - lastMillis);
      WritableUtils.writeVInt(out, operation.file());
      WritableUtils.writeVLong(out, operation.offset());
      WritableUtils.writeVInt(out, operation.length());
      lastMillis = operation.atMillis();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  static Operation[] read(FileSystem fs, Path directory, int task) throws IOException {
    try (DataInputStream in = fs.open(path(directory, task))) {
      Operation[] operations = new Operation[in.readInt()];
      long millis = 0;
      for (int i = 0; i < operations.length; i++) {
        millis += WritableUtils.readVLong(in);
        operations[i] = new Operation(millis, WritableUtils.readVInt(in),
            WritableUtils.readVLong(in), WritableUtils.readVInt(in));
      }
      return operations;
    }
  }
}
