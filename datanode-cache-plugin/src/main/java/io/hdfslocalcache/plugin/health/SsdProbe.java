/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

import com.sun.nio.file.ExtendedOpenOption;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;

/** Tests whether an SSD returns the bytes written to it. */
public final class SsdProbe {

  private static final int LENGTH = 64 << 10;

  private final Path file;
  private final SplittableRandom random = new SplittableRandom();

  /** @param directory where a file may be written and removed, on the SSD */
  public SsdProbe(Path directory) {
    this.file = directory.resolve("probe");
  }

  /**
   * Writes and syncs a file, reads it back with direct I/O where the file system supports it, and
   * deletes it.
   *
   * @param nanoClock clock for the measurement
   * @return how long the read took, in nanoseconds
   * @throws IOException if the SSD fails, or returns wrong bytes
   */
  public long run(LongSupplier nanoClock) throws IOException {
    byte[] written = new byte[LENGTH];
    random.nextBytes(written);
    try {
      write(written);
      long begin = nanoClock.getAsLong();
      ByteBuffer read = read();
      long nanos = nanoClock.getAsLong() - begin;
      if (!ByteBuffer.wrap(written).equals(read)) {
        throw new IOException("read bytes differ from those written: " + file);
      }
      return nanos;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private void write(byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    try (FileChannel out = PrivateFiles.create(file)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        out.write(buffer);
      }
      out.force(true);
    }
  }

  private ByteBuffer read() throws IOException {
    try (FileChannel in = openPastMemory()) {
      int alignment = (int) Files.getFileStore(file).getBlockSize();
      return read(in, ByteBuffer.allocateDirect(LENGTH + alignment).alignedSlice(alignment));
    }
  }

  /** Not every file system supports it. An error of the read itself is what a probe looks for. */
  private FileChannel openPastMemory() throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
    } catch (IOException | UnsupportedOperationException e) {
      return FileChannel.open(file, StandardOpenOption.READ);
    }
  }

  private static ByteBuffer read(FileChannel in, ByteBuffer buffer) throws IOException {
    buffer.limit(LENGTH);
    while (buffer.hasRemaining() && in.read(buffer) >= 0) {
      continue;
    }
    return buffer.flip();
  }
}
