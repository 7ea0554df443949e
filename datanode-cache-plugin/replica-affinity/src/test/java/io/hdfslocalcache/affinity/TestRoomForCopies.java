/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Test;

/**
 * What SSDs do for remote readers if there is room for some copies of what is hot. With
 * {@code -Daffinity.table=true} the test prints the table of docs/affinity.md, in some minutes.
 */
public class TestRoomForCopies {

  private static final int FILES = 90;
  private static final int READERS = 30;
  private static final int PAGES = FILES * AffinityCluster.BLOCK / LocalCacheCluster.PAGE;
  /** Bytes on each SSD if all of them together have room for one copy of all files. */
  private static final int ONE_COPY = PAGES * 20_480 / AffinityCluster.DATA_NODES;

  private final long seed = Long.getLong("affinity.seed", System.nanoTime());

  /** What was counted in a run from empty SSDs. */
  private record Run(double copies, double offload, long written, long[] reads) {

    String row(String room, String topology) {
      return String.format("| %s | %s | %.2f | %.1f %% | %.1f MB | %d to %d |", room, topology,
          copies, 100 * offload, written / 1e6, reads[0], reads[reads.length - 1]);
    }
  }

  /** Popularity by Zipf's law: the second file is read half as often as the first. */
  private static int[] popular(Random random, int reads) {
    double[] upTo = new double[FILES];
    double sum = 0;
    for (int i = 0; i < FILES; i++) {
      sum += 1.0 / (i + 1);
      upTo[i] = sum;
    }
    double all = sum;
    return IntStream.range(0, reads).map(i -> {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * all);
      return found < 0 ? -found - 1 : found;
    }).toArray();
  }

  private Run run(LocalCacheCluster.Builder builder, double room, int reads) throws Exception {
    builder.set(LocalCacheKeys.CAPACITY, (long) (room * ONE_COPY));
    try (AffinityCluster cluster = AffinityCluster.start(builder)) {
      List<String> paths = cluster.write(FILES);
      Random random = new Random(seed);
      for (int file : popular(random, reads)) {
        cluster.readRemotely(random.nextInt(READERS), paths.get(file));
      }
      double copies = 0;
      for (String path : paths) {
        copies += cluster.copies(path).size();
      }
      double hit = cluster.total(Event.BYTES_HIT);
      return new Run(copies / FILES, hit / (hit + cluster.total(Event.BYTES_MISS)),
          cluster.total(Event.FILL_WRITTEN_BYTES),
          LongStream.of(cluster.reads()).sorted().toArray());
    }
  }

  @Test
  public void roomForOneCopy_affinityHasMoreHitsAndWritesLess() throws Exception {
    System.out.println("seed " + seed);
    Run stock = run(AffinityCluster.stock(), 1, 500);
    System.out.println(stock.row("1", "stock"));
    Run two = run(AffinityCluster.affinity(2), 1, 500);
    System.out.println(two.row("1", "two replicas"));
    assertTrue("seed " + seed, two.offload > stock.offload);
    assertTrue("seed " + seed, two.written < stock.written);
  }

  @Test
  public void table() throws Exception {
    assumeTrue("for the document", Boolean.getBoolean("affinity.table"));
    System.out.println("seed " + seed);
    for (double room : new double[] {1, 2, 4}) {
      String copies = String.format("%.0f", room);
      System.out.println(run(AffinityCluster.stock(), room, 1500).row(copies, "stock"));
      System.out.println(run(AffinityCluster.affinity(2), room, 1500).row(copies, "two replicas"));
      System.out.println(run(AffinityCluster.affinity(1), room, 1500).row(copies, "one replica"));
    }
  }
}
