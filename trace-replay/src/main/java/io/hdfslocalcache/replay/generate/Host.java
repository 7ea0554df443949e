/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.List;

/**
 * The numbers of a host.
 *
 * @param name its name
 * @param reads reads
 * @param writes blocks written
 * @param blocksRead different blocks that are read
 * @param averageBlockBytes mean size of a block
 * @param top how many blocks are the top ones of an hour
 * @param topShare share of an hour's reads on the top ones, 0 to 1
 */
public record Host(String name, int reads, int writes, int blocksRead, long averageBlockBytes,
    int top, double topShare) {

  private static final int TOP = 10_000;

  /**
   * The hosts in the table of Uber's "Optimizing HDFS with DataNode Local Cache for High-Density
   * HDD Adoption": reads and writes of about 20 hours.
   */
  public static final List<Host> UBER = List.of(
      new Host("host1", 13_500_000, 3_300, 84_769, 380L << 20, TOP, 0.89),
      new Host("host2", 12_800_000, 4_700, 59_376, 330L << 20, TOP, 0.94),
      new Host("host3", 11_300_000, 275_000, 49_317, 300L << 20, TOP, 0.91),
      new Host("host4", 8_500_000, 4_600, 31_048, 300L << 20, TOP, 0.99),
      new Host("host5", 14_300_000, 45_000, 79_958, 160L << 20, TOP, 0.99));

  /**
   * A host with a part of the blocks and of the reads.
   *
   * @param scale the part, more than 0
   * @throws IllegalArgumentException if no block is left
   */
  public Host scaled(double scale) {
    Host scaled = new Host(name, part(reads, scale), part(writes, scale), part(blocksRead, scale),
        averageBlockBytes, part(top, scale), topShare);
    if (!(scale > 0) || scaled.top < 1 || scaled.blocksRead <= scaled.top) {
      throw new IllegalArgumentException("--scale: too small: " + scale);
    }
    return scaled;
  }

  private static int part(int n, double scale) {
    return (int) Math.min(Integer.MAX_VALUE / 2, Math.round(n * scale));
  }
}
