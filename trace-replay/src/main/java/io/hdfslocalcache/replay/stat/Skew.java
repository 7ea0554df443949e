/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.replay.trace.Trace;

/**
 * How much of all reads goes to how few blocks.
 *
 * @param blocks how many of the blocks read most
 * @param reads share of the reads of the whole trace that went to them, 0 to 1
 */
public record Skew(int blocks, double reads) {

  /** @return points for 1, 2, 5, 10, 20 blocks and so on, up to all. */
  public static List<Skew> of(Trace trace) {
    long[] reads = new Blocks(trace).readsDescending();
    long all = Arrays.stream(reads).sum();
    List<Skew> points = new ArrayList<>();
    long sum = 0;
    int point = 1;
    for (int n = 1; n <= reads.length; n++) {
      sum += reads[n - 1];
      if (n == point || n == reads.length) {
        points.add(new Skew(n, (double) sum / all));
        point = next(point);
      }
    }
    return points;
  }

  private static int next(int point) {
    int leading = point;
    while (leading >= 10) {
      leading /= 10;
    }
    return leading == 2 ? point / 2 * 5 : 2 * point;
  }
}
