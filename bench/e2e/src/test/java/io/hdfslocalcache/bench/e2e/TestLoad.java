/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.hdfslocalcache.bench.e2e.Load.Kind;
import org.junit.Test;

public class TestLoad {

  private static final int SIZE = 1 << 16;
  private static final int REGION = 1 << 20;
  private static final int REGIONS_OF_FILE = (int) (BenchFiles.LENGTH / REGION);
  private static final int DRAWS = 100_000;

  private static Load load(Kind kind, int files, long seed) {
    return new Load(kind, 1, SIZE, 1, 0, files, REGION, 0, seed);
  }

  @Test
  public void once_everyPlaceOnce_thenNoMore() {
    LongSupplier offsets = load(Kind.ONCE, 2, 1).once();

    Set<Long> seen = new HashSet<>();
    long last = -1;
    int descents = 0;
    for (long at = offsets.getAsLong(); at >= 0; at = offsets.getAsLong()) {
      assertEquals(0, at % REGION);
      assertTrue("twice: " + at, seen.add(at));
      descents += at < last ? 1 : 0;
      last = at;
    }

    assertEquals(2 * REGIONS_OF_FILE, seen.size());
    assertTrue("not in random order", descents > 5);
    assertEquals(-1, offsets.getAsLong());
  }

  @Test
  public void random_readsFitIntoFiles() {
    LongSupplier offsets = load(Kind.RANDOM, 3, 42).offsets(0);

    Set<Long> files = new HashSet<>();
    for (int i = 0; i < DRAWS; i++) {
      long at = offsets.getAsLong();
      files.add(at / BenchFiles.LENGTH);
      assertEquals(0, at % 4096);
      assertTrue("beyond the end: " + at, at % BenchFiles.LENGTH + SIZE <= BenchFiles.LENGTH);
    }

    assertEquals(Set.of(0L, 1L, 2L), files);
  }

  /** How often each region is read. */
  private static int[] regions(Load load, int reader) {
    LongSupplier offsets = load.offsets(reader);
    int[] reads = new int[load.files() * REGIONS_OF_FILE];
    for (int i = 0; i < DRAWS; i++) {
      long at = offsets.getAsLong();
      assertEquals(0, at % SIZE);
      reads[(int) (at / REGION)]++;
    }
    return reads;
  }

  @Test
  public void zipf_shares() {
    int[] reads = regions(load(Kind.ZIPF, 1, 42), 0);

    Arrays.sort(reads);
    int last = reads.length - 1;
    double sum = IntStream.rangeClosed(1, reads.length)
        .mapToDouble(n -> Math.pow(n, -Load.EXPONENT)).sum();
    assertEquals(1 / sum, (double) reads[last] / DRAWS, 0.01);
    assertEquals(Math.pow(2, -Load.EXPONENT) / sum, (double) reads[last - 1] / DRAWS, 0.01);
    assertEquals(Math.pow(reads.length, -Load.EXPONENT) / sum, (double) reads[0] / DRAWS, 0.001);
  }

  @Test
  public void zipf_regionsReadMost_areTheSameForAllReaders_andLieInAllFiles() {
    int[] first = regions(load(Kind.ZIPF, 4, 1), 1);

    assertEquals(most(first), most(regions(load(Kind.ZIPF, 4, 1), 2)));
    assertNotEquals("another seed, other regions", most(first),
        most(regions(load(Kind.ZIPF, 4, 9), 1)));
    int[] sorted = first.clone();
    Arrays.sort(sorted);
    Set<Integer> files = new HashSet<>();
    for (int region = 0; region < first.length; region++) {
      if (first[region] >= sorted[first.length * 4 / 5]) {
        files.add(region / REGIONS_OF_FILE);
      }
    }
    assertEquals(Set.of(0, 1, 2, 3), files);
  }

  private static int most(int[] reads) {
    return IntStream.range(0, reads.length).reduce((a, b) -> reads[a] >= reads[b] ? a : b)
        .getAsInt();
  }

  @Test
  public void named_afterItsPath() {
    assertEquals(Load.files(4, 1, 2), Load.named("seq-4", 1, 2, 1));
    assertEquals(Load.random(8, 1 << 16, 1, 2, 7), Load.named("pread-64k-8", 1, 2, 7));
  }

  @Test
  public void parts_readTheSameRegionsMost_atOtherOffsets() {
    Load first = load(Kind.ZIPF, 2, 7);
    Load second = first.part(1, 1);

    assertEquals(most(regions(first, 0)), most(regions(second, 0)));
    assertNotEquals(IntStream.range(0, 5).mapToObj(i -> first.offsets(i).getAsLong()).toList(),
        IntStream.range(0, 5).mapToObj(i -> second.offsets(i).getAsLong()).toList());
  }

  @Test
  public void hottest_isReadMost() {
    Load load = load(Kind.ZIPF, 6, 7);
    LongSupplier offsets = load.offsets(0);
    long[] reads = new long[6];
    for (int i = 0; i < DRAWS; i++) {
      reads[(int) (offsets.getAsLong() / BenchFiles.LENGTH)]++;
    }

    assertEquals(6, load.hottest().stream().distinct().count());
    assertEquals("the first is read most", Arrays.stream(reads).max().getAsLong(),
        reads[load.hottest().get(0)]);
    assertEquals("the last is read least", Arrays.stream(reads).min().getAsLong(),
        reads[load.hottest().get(5)]);
  }
}
