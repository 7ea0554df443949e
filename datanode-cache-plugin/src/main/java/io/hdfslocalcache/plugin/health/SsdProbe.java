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
  private static final int READS = 8;

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
   * @param readsNanos once its reads took so long together, it reads no more: a slow SSD is read once
   * @return how long the shortest of a few reads took, in nanoseconds: one of a busy host may have
   *     waited for a CPU
   * @throws IOException if the SSD fails, or returns wrong bytes
   */
  public long run(LongSupplier nanoClock, long readsNanos) throws IOException {
    byte[] written = new byte[LENGTH];
    random.nextBytes(written);
    try {
      write(written);
      try (FileChannel in = openPastMemory()) {
        return shortestRead(in, ByteBuffer.wrap(written), nanoClock, readsNanos);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private long shortestRead(FileChannel in, ByteBuffer written, LongSupplier nanoClock,
      long readsNanos) throws IOException {
    int alignment = (int) Files.getFileStore(file).getBlockSize();
    ByteBuffer read = ByteBuffer.allocateDirect(LENGTH + alignment).alignedSlice(alignment);
    long shortest = Long.MAX_VALUE;
    long all = 0;
    for (int i = 0; i < READS && all < readsNanos; i++) {
      long begin = nanoClock.getAsLong();
      read(in.position(0), read);
      long nanos = nanoClock.getAsLong() - begin;
      if (!written.equals(read)) {
        throw new IOException("read bytes differ from those written: " + file);
      }
      shortest = Math.min(shortest, nanos);
      all += nanos;
    }
    return shortest;
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

  /** Not every file system supports it. An error of the read itself is what a probe looks for. */
  private FileChannel openPastMemory() throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
    } catch (IOException | UnsupportedOperationException e) {
      return FileChannel.open(file, StandardOpenOption.READ);
    }
  }

  private static void read(FileChannel in, ByteBuffer buffer) throws IOException {
    buffer.clear().limit(LENGTH);
    while (buffer.hasRemaining() && in.read(buffer) >= 0) {
      continue;
    }
    buffer.flip();
  }
}
