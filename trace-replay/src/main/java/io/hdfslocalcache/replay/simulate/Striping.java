/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How an erasure coding policy of HDFS spreads the bytes of a block group: cell by cell over its
 * internal blocks with data.
 *
 * @param data internal blocks with data
 * @param parity internal blocks with parity, which nobody reads while all data is there
 * @param cell bytes of a cell
 */
public record Striping(int data, int parity, int cell) {

  private static final Pattern POLICY = Pattern.compile("[A-Z-]+-(\\d+)-(\\d+)-(\\d+)k");
  private static final int KB = 1024;

  /**
   * Reads the name of a policy.
   *
   * @throws IllegalArgumentException if it is not one such as {@code RS-6-3-1024k}
   */
  public static Striping ofPolicy(String name) {
    Matcher parts = POLICY.matcher(name);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a policy such as RS-6-3-1024k: " + name);
    }
    return new Striping(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)) * KB);
  }

  /** @return DataNodes that a full group needs. */
  public int members() {
    return data + parity;
  }

  /** @return bytes of an internal block with data that lie before an offset in its group. */
  long before(int index, long offset) {
    long stripe = (long) data * cell;
    long inCells = offset % stripe - (long) index * cell;
    return offset / stripe * cell + Math.max(0, Math.min(cell, inCells));
  }

  /** @return where the stripe ends that has the byte before an offset. */
  long endOfStripe(long offset) {
    long stripe = (long) data * cell;
    return (offset + stripe - 1) / stripe * stripe;
  }
}
