/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

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
}
