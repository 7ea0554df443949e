/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.reading;

import java.io.IOException;
import java.util.List;

import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * What one client reads next: which file is left to Zipf's law, and of it a small range in most
 * cases, a part from the middle in some, the whole in few. For one thread.
 */
final class ReadMix {

  /** Skew of popularity; data lakes and block stores are found around it. */
  private static final double EXPONENT = 1.1;
  private static final int PERCENT_RANGES = 60;
  private static final int PERCENT_PARTS = 25;
  private static final int MIN_RANGE = 1 << 10;
  private static final int MAX_RANGE = 64 << 10;
  private static final int MAX_PART = 1 << 20;

  private final List<SourceFile> files;
  private final RandomGenerator random;
  private final ZipfDistribution rank;

  /**
   * Plans reads.
   *
   * @param files the most popular one first
   * @param seed the same seed gives the same reads
   */
  ReadMix(List<SourceFile> files, int seed) {
    this.files = files;
    this.random = new Well19937c(seed);
    this.rank = new ZipfDistribution(random, files.size(), EXPONENT);
  }

  /** Does the next read. */
  void readNext(VerifyingReader reader) throws IOException {
    SourceFile file = files.get(rank.sample() - 1);
    int percent = random.nextInt(100);
    if (percent < PERCENT_RANGES) {
      int length = (int) Math.min(file.length(), between(MIN_RANGE, MAX_RANGE));
      reader.readRange(file, between(0, file.length() - length), length);
    } else if (percent < PERCENT_RANGES + PERCENT_PARTS) {
      long length = Math.min(file.length(), between(1, MAX_PART));
      reader.readPart(file, between(0, file.length() - length), length);
    } else {
      reader.readAll(file);
    }
  }

  /** A random number, both ends included. */
  private long between(long min, long max) {
    return min + (long) (random.nextDouble() * (max - min + 1));
  }
}
