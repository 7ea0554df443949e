/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.reading;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

import org.apache.hadoop.fs.FileSystem;

/** Copies local files into HDFS. */
public final class Loader {

  private final FileSystem hdfs;

  public Loader(FileSystem hdfs) {
    this.hdfs = hdfs;
  }

  /**
   * Copies files in their order.
   *
   * @param progress is told the bytes of all files copied so far
   * @return the files with the lengths they had when they were copied
   * @throws IOException if a file cannot be read, or HDFS does not take it
   */
  public List<SourceFile> load(List<SourceFile> files, LongConsumer progress)
      throws IOException {
    List<SourceFile> loaded = new ArrayList<>();
    long bytes = 0;
    for (SourceFile file : files) {
      long length = copy(file);
      loaded.add(new SourceFile(file.inHdfs(), file.local(), length));
      bytes += length;
      progress.accept(bytes);
    }
    return List.copyOf(loaded);
  }

  private long copy(SourceFile file) throws IOException {
    try (InputStream in = Files.newInputStream(file.local());
         OutputStream out = hdfs.create(file.path())) {
      return in.transferTo(out);
    }
  }
}
