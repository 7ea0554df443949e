/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import io.hdfslocalcache.replay.benchmark.Bench;
import io.hdfslocalcache.replay.benchmark.WriteMapper;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** The files that are read in a replay. */
final class Data {

  private static final int WRITERS_PER_DATANODE = 2;

  /**
   * A block of the cluster that stands for one of the trace.
   *
   * @param file number of its file
   * @param offset where it begins in the file
   * @param length its bytes
   */
  record Place(int file, long offset, long length) {
  }

  private final List<Path> files = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();

  private Data() {
  }

  List<Path> files() {
    return files;
  }

  List<Place> places() {
    return places;
  }

  /** Finds what is in a directory. Every block of every file is a place. */
  static Data find(FileSystem fs, Path directory) throws IOException {
    Data data = new Data();
    FileStatus[] all = fs.listStatus(directory);
    Arrays.sort(all, Comparator.comparing(status -> status.getPath().getName()));
    for (FileStatus status : all) {
      if (status.isFile() && status.getLen() > 0) {
        data.add(status);
      }
    }
    if (data.places.isEmpty()) {
      throw new IOException(directory + ": no files to read");
    }
    return data;
  }

  private void add(FileStatus status) {
    for (long at = 0; at < status.getLen(); at += status.getBlockSize()) {
      places.add(new Place(
          files.size(), at, Math.min(status.getBlockSize(), status.getLen() - at)));
    }
    files.add(status.getPath());
  }

  /** Writes files of one block each. */
  static void write(Bench bench, Path directory, int blocks, long blockSize)
      throws IOException, InterruptedException {
    int nodes = bench.hdfs().getDataNodeStats(DatanodeReportType.LIVE).length;
    int writers = Math.min(blocks, Math.max(1, WRITERS_PER_DATANODE * nodes));
    WriteMapper.write(bench, "local cache replay write", directory, blocks, writers, blockSize,
        blockSize);
  }
}
