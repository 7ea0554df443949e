/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

import org.HdrHistogram.Histogram;

/** How long reads waited: in all, and of those that began in each of some slots of equal length. */
final class Waits {

  private static final int SLOTS = 240;
  private static final double MINUTE = 60_000;
  private static final double MICROS = 1000;
  /** A longer wait counts as one of about four months. */
  private static final long MAX_MICROS = 10_000_000_000_000L;
  private static final int DIGITS = 2;
  private static final double PERCENTILE = 99;

  private final Histogram all = new Histogram(MAX_MICROS, DIGITS);
  private final Histogram slot = new Histogram(MAX_MICROS, DIGITS);
  private final long slotMinutes;
  private final double[] means;
  private final double[] p99s;
  private int current;
  private double slotSum;
  private double sum;

  /** Begins. @param spanMillis how long the trace is */
  Waits(long spanMillis) {
    this.slotMinutes = (long) Math.max(1, Math.ceil(spanMillis / MINUTE / SLOTS));
    int slots = (int) (spanMillis / MINUTE / slotMinutes) + 1;
    this.means = new double[slots];
    this.p99s = new double[slots];
    Arrays.fill(means, -1);
    Arrays.fill(p99s, -1);
  }

  /** Adds a read that began no earlier than those before. Both in milliseconds. */
  void add(double began, double wait) {
    int number = (int) (began / MINUTE / slotMinutes);
    if (number != current) {
      end();
      current = number;
    }
    long micros = (long) Math.min(MAX_MICROS, wait * MICROS);
    all.recordValue(micros);
    slot.recordValue(micros);
    slotSum += wait;
    sum += wait;
  }

  /** No more reads begin in the last slot. */
  void end() {
    if (slot.getTotalCount() > 0) {
      means[current] = slotSum / slot.getTotalCount();
      p99s[current] = p99(slot);
      slot.reset();
      slotSum = 0;
    }
  }

  private static double p99(Histogram histogram) {
    return histogram.getValueAtPercentile(PERCENTILE) / MICROS;
  }

  double mean() {
    return sum / Math.max(1, all.getTotalCount());
  }

  double p99() {
    return p99(all);
  }

  long slotMinutes() {
    return slotMinutes;
  }

  double[] slotMeans() {
    return means;
  }

  double[] slotP99s() {
    return p99s;
  }
}
