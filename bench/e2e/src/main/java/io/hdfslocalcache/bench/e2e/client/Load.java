/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * What some readers do for a while.
 *
 * @param kind what they do
 * @param readers how many there are
 * @param size bytes of a positioned read
 * @param seconds how long; 0: until everything was read once
 * @param firstFile first of the files they read
 * @param files number of files they read
 * @param stride if not 0, positioned reads begin at multiples of it, in random order, and none is
 *     read twice; it ends when all were read. By Zipf's law: bytes of a region
 * @param rate reads a second and reader, or 0: the next as soon as the last is done
 * @param seed of the random offsets
 */
public record Load(Kind kind, int readers, int size, double seconds, int firstFile, int files,
    int stride, double rate, long seed) {

  /** What readers can do. */
  public enum Kind {
    /** Write the files. */
    WRITE,
    /** Read the files in order and compare every byte; then some positioned reads. */
    VERIFY,
    /** Read whole files in order. */
    SEQUENTIAL,
    /** Positioned reads at random offsets. */
    PREAD,
    /**
     * Positioned reads, some places far more often than others, by Zipf's law; every byte that is
     * read is compared.
     */
    ZIPF;

    /** @return whether readers read parts of files, each at a random offset. */
    public boolean isPositioned() {
      return this == PREAD || this == ZIPF;
    }
  }

  /** Makes or checks the files. */
  public static Load of(Kind kind, int firstFile, int files) {
    return new Load(kind, 1, 0, 0, firstFile, files, 0, 0, 1);
  }

  /** Reads whole files for some time. */
  public static Load sequential(int readers, double seconds, int firstFile, int files) {
    return new Load(Kind.SEQUENTIAL, readers, 1 << 20, seconds, firstFile, files, 0, 0, 1);
  }

  /** Reads at random offsets for some time. */
  public static Load pread(int readers, int size, double seconds, int firstFile, int files) {
    return new Load(Kind.PREAD, readers, size, seconds, firstFile, files, 0, 0, 1);
  }

  /**
   * Reads for some time where Zipf's law says.
   *
   * @param region the files are cut into regions of so many bytes. A region is drawn, and one of its
   *     places of {@code size} bytes.
   */
  public static Load zipf(int readers, int size, int region, double seconds, int firstFile,
      int files) {
    return new Load(Kind.ZIPF, readers, size, seconds, firstFile, files, region, 0, 1);
  }

  /** @return the same, for another time. */
  public Load seconds(double other) {
    return new Load(kind, readers, size, other, firstFile, files, stride, rate, seed);
  }

  /** @return the same, but no offset twice. */
  public Load once(int multipleOf) {
    return new Load(kind, readers, size, seconds, firstFile, files, multipleOf, rate, seed);
  }

  /** @return the same, but no faster. */
  public Load rate(double perSecond) {
    return new Load(kind, readers, size, seconds, firstFile, files, stride, perSecond, seed);
  }

  /** @return the same, at other random offsets. */
  public Load seed(long other) {
    return new Load(kind, readers, size, seconds, firstFile, files, stride, rate, other);
  }

  /**
   * The load of a path.
   *
   * @param name such as {@code seq-4} or {@code pread-64k-8}: the last number is that of readers
   * @param files the files to read, the first ones
   */
  public static Load named(String name, double seconds, int files) {
    String[] parts = name.split("-");
    int readers = Integer.parseInt(parts[parts.length - 1]);
    return parts[0].equals("seq") ? sequential(readers, seconds, 0, files)
        : pread(readers, Integer.parseInt(parts[1].replace("k", "")) << 10, seconds, 0, files);
  }

  /**
   * What the readers of a load saw.
   *
   * @param ops reads, of whole files or of ranges
   * @param bytes bytes of data in them
   * @param seconds from the first to the last
   * @param latencies durations of the reads in nanoseconds: a compressed histogram in Base64, so
   *     that those of several slices can be added up
   * @param opsBySecond how many of the reads ended in each second
   */
  public record Result(long ops, long bytes, double seconds, String latencies,
      List<Long> opsBySecond) {

    /** With the durations packed. */
    public static Result of(long ops, long bytes, double seconds, Histogram nanos,
        List<Long> opsBySecond) {
      ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
      int length = nanos.encodeIntoCompressedByteBuffer(buffer);
      ByteBuffer packed = ByteBuffer.allocate(length).put(buffer.array(), 0, length);
      return new Result(ops, bytes, seconds, Base64.getEncoder().encodeToString(packed.array()),
          opsBySecond);
    }

    /** @return durations of the reads, in nanoseconds. */
    public Histogram nanos() {
      try {
        return Histogram.decodeFromCompressedByteBuffer(
            ByteBuffer.wrap(Base64.getDecoder().decode(latencies)), 0);
      } catch (DataFormatException e) {
        throw new IllegalArgumentException("not a histogram: " + latencies, e);
      }
    }
  }
}
