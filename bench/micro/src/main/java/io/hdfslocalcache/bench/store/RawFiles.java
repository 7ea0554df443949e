/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.apache.hadoop.fs.FileUtil;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** As many files of the same size, kept open: nothing can be faster with files. */
@State(Scope.Benchmark)
public class RawFiles {

  private final FileChannel[] files = new FileChannel[Pages.COUNT];
  private Path root;

  /** Writes the files. */
  @Setup
  public void fill() throws IOException {
    root = Files.createTempDirectory("bench-store");
    for (int i = 0; i < files.length; i++) {
      files[i] = FileChannel.open(root.resolve(String.valueOf(i)), StandardOpenOption.CREATE_NEW,
          StandardOpenOption.READ, StandardOpenOption.WRITE);
      files[i].write(ByteBuffer.allocate(Pages.PAGE));
    }
  }

  int read(int file, int offset, ByteBuffer buffer) throws IOException {
    return files[file].read(buffer, offset);
  }

  /** Deletes the files. */
  @TearDown
  public void delete() throws IOException {
    for (FileChannel file : files) {
      file.close();
    }
    FileUtil.fullyDelete(root.toFile());
  }
}
