/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Arrays;

import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * Finds how uneven the popularity of how many blocks must be, so that a trace has the numbers of
 * its host: makes the reads again and again without writing them down, and looks at the numbers.
 */
final class Calibration {

  /** How often it tries, at most. */
  private static final int MAX_ROUNDS = 25;

  private static final double SHARE_TOLERANCE = 0.003;
  private static final double BLOCKS_TOLERANCE = 0.005;
  private static final double MIN_BLOCKS_TOLERANCE = 2;
  /** So many tolerances are taken if there is nothing better: 1.5 points. */
  private static final double STILL_GOOD = 5;
  private static final long HOUR_MILLIS = 3_600_000;
  /** Change of the share's logit with the exponent, about; learned on the way. */
  private static final double FIRST_SLOPE = 8;
  private static final double MIN_SLOPE = 2;
  private static final double MAX_SLOPE = 40;
  private static final double MAX_STEP = 0.3;
  /** So many more blocks than are read are a sign that it is in vain. */
  private static final int MAX_BLOCKS = 10;

  private final Plan plan;
  private int blocks;
  private double exponent = 1;
  private double slope = FIRST_SLOPE;
  private double lastExponent = Double.NaN;
  private double lastLogit;

  Calibration(Plan plan) {
    this.plan = plan;
    this.blocks = plan.host().blocksRead();
  }

  /**
   * What was found.
   *
   * @param blocks how many blocks there are
   * @param exponent of the Zipf distribution
   */
  record Found(int blocks, double exponent) {
  }

  /** What a trace would be like. */
  private record Numbers(int blocksRead, double topShare) {
  }

  /**
   * Finds it.
   *
   * @throws TraceException if no such trace is found
   */
  Found find() throws TraceException {
    Numbers numbers = null;
    Found nearest = null;
    double least = Double.MAX_VALUE;
    int most = MAX_BLOCKS * plan.host().blocksRead();
    for (int round = 0; round < MAX_ROUNDS && blocks <= most && least > 1; round++) {
      numbers = tryOut();
      double distance = distance(numbers);
      if (distance < least) {
        least = distance;
        nearest = new Found(blocks, exponent);
      }
      adjust(numbers);
    }
    if (least > STILL_GOOD) {
      throw new TraceException("no " + plan.kind() + " trace found with the numbers of "
          + plan.host().name() + "; the last had " + numbers.blocksRead + " blocks read and "
          + numbers.topShare + " of an hour's reads on the top ones");
    }
    return nearest;
  }

  /** @return how far numbers are from the host's, in units of what is wanted. */
  private double distance(Numbers numbers) {
    Host host = plan.host();
    double blocksTolerance = Math.max(MIN_BLOCKS_TOLERANCE, BLOCKS_TOLERANCE * host.blocksRead());
    return Math.max(Math.abs(host.topShare() - numbers.topShare) / SHARE_TOLERANCE,
        Math.abs(host.blocksRead() - numbers.blocksRead) / blocksTolerance);
  }

  private void adjust(Numbers numbers) {
    double logit = logit(numbers.topShare);
    if (Math.abs(exponent - lastExponent) > 1e-4) {
      double seen = (logit - lastLogit) / (exponent - lastExponent);
      slope = Math.max(MIN_SLOPE, Math.min(MAX_SLOPE, seen));
    }
    lastExponent = exponent;
    lastLogit = logit;
    double step = (logit(plan.host().topShare()) - logit) / slope;
    exponent = Math.max(0.05, exponent + Math.max(-MAX_STEP, Math.min(MAX_STEP, step)));
    double blocksRatio = (double) plan.host().blocksRead() / numbers.blocksRead;
    blocks = (int) Math.max(plan.host().top() + 1,
        Math.round(blocks * Math.max(0.5, Math.min(2, blocksRatio))));
  }

  private static double logit(double share) {
    double inside = Math.max(1e-6, Math.min(1 - 1e-6, share));
    return Math.log(inside / (1 - inside));
  }

  private Numbers tryOut() {
    int hours = (int) (Plan.SPAN_MILLIS / HOUR_MILLIS) + 1;
    int[][] counts = new int[hours][2 * blocks + plan.host().blocksRead()];
    plan.forEachRead(blocks, exponent,
        (millis, block, part, session) -> counts[(int) (millis / HOUR_MILLIS)][block]++);
    return numbers(counts);
  }

  private Numbers numbers(int[][] counts) {
    boolean[] read = new boolean[counts[0].length];
    long all = 0;
    long onTop = 0;
    for (int hour = 0; hour < counts.length; hour++) {
      for (int block = 0; block < read.length; block++) {
        read[block] |= counts[hour][block] > 0;
      }
      if ((hour + 1) * HOUR_MILLIS <= Plan.SPAN_MILLIS) {
        int[] sorted = counts[hour];
        Arrays.parallelSort(sorted);
        all += Arrays.stream(sorted).asLongStream().sum();
        onTop += Arrays.stream(sorted, sorted.length - plan.host().top(), sorted.length)
            .asLongStream().sum();
      }
    }
    int blocksRead = 0;
    for (boolean one : read) {
      blocksRead += one ? 1 : 0;
    }
    return new Numbers(blocksRead, (double) onTop / all);
  }
}
