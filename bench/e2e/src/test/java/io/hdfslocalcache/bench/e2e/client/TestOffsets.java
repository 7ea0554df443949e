/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

import io.hdfslocalcache.bench.e2e.client.LoadRun.Offsets;
import org.junit.Test;

public class TestOffsets {

  private static final long FILE = 1 << 20;
  private static final int SIZE = 1 << 16;

  @Test
  public void once_everyPlaceOnce_thenNoMore() {
    Offsets offsets = Offsets.once(Load.pread(1, SIZE, 0, 0, 2).once(SIZE), FILE);

    Set<Long> seen = new HashSet<>();
    long last = -1;
    int descents = 0;
    for (long at = offsets.next(); at >= 0; at = offsets.next()) {
      assertEquals(0, at % SIZE);
      assertTrue("twice: " + at, seen.add(at));
      descents += at < last ? 1 : 0;
      last = at;
    }

    assertEquals(2 * FILE / SIZE, seen.size());
    assertTrue("not in random order", descents > 5);
    assertEquals(-1, offsets.next());
  }

  @Test
  public void random_readsFitIntoFiles() {
    Offsets offsets = Offsets.random(Load.pread(1, SIZE, 1, 0, 3), FILE, 42);

    Set<Long> files = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      long at = offsets.next();
      files.add(at / FILE);
      assertEquals(0, at % 4096);
      assertTrue("beyond the end: " + at, at % FILE + SIZE <= FILE);
    }

    assertEquals(Set.of(0L, 1L, 2L), files);
  }

  private static final int REGION = 1 << 20;
  private static final int DRAWS = 100_000;

  /** How often each region is read. */
  private static int[] regions(Load load, long fileLength, long seed) {
    Offsets offsets = Offsets.zipf(load, fileLength, seed);
    int[] reads = new int[(int) (load.files() * (fileLength / REGION))];
    for (int i = 0; i < DRAWS; i++) {
      reads[(int) (offsets.next() / REGION)]++;
    }
    return reads;
  }

  private static Load zipf(int files) {
    return Load.zipf(1, SIZE, REGION, 1, 0, files);
  }

  @Test
  public void zipf_everyReadIsOneOfThePlacesOfARegion() {
    Offsets offsets = Offsets.zipf(zipf(3), REGION, 42);

    Set<Long> places = new HashSet<>();
    for (int i = 0; i < DRAWS; i++) {
      long at = offsets.next();
      assertEquals(0, at % SIZE);
      assertTrue("beyond the end: " + at, at >= 0 && at + SIZE <= 3 * REGION);
      places.add(at);
    }

    assertEquals(3 * REGION / SIZE, places.size());
  }

  @Test
  public void zipf_shares() {
    int[] reads = regions(zipf(2), 50L * REGION, 42);

    Arrays.sort(reads);
    double sum = IntStream.rangeClosed(1, 100).mapToDouble(n -> Math.pow(n, -0.9)).sum();
    assertEquals(1 / sum, (double) reads[99] / DRAWS, 0.01);
    assertEquals(Math.pow(2, -0.9) / sum, (double) reads[98] / DRAWS, 0.01);
    assertEquals(Math.pow(100, -0.9) / sum, (double) reads[0] / DRAWS, 0.001);
  }

  @Test
  public void zipf_regionsReadMost_areTheSameForAllReaders_andLieInAllFiles() {
    int[] first = regions(zipf(4), 25L * REGION, 1);
    int[] second = regions(zipf(4), 25L * REGION, 2);
    int[] otherSeed = regions(zipf(4).seed(9), 25L * REGION, 1);

    assertEquals(most(first), most(second));
    assertTrue("another seed, other regions", most(first) != most(otherSeed));
    int[] sorted = first.clone();
    Arrays.sort(sorted);
    Set<Integer> files = new HashSet<>();
    for (int region = 0; region < first.length; region++) {
      if (first[region] >= sorted[80]) {
        files.add(region / 25);
      }
    }
    assertEquals(Set.of(0, 1, 2, 3), files);
  }

  private static int most(int[] reads) {
    return IntStream.range(0, reads.length).reduce((a, b) -> reads[a] >= reads[b] ? a : b)
        .getAsInt();
  }
}
