/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/**
 * Moves a threshold so that spending follows a target rate: a proportional-integral controller on
 * logarithms, because thresholds and rates vary by orders of magnitude. Steps once a minute. Not
 * thread-safe.
 */
final class ThresholdControl {
  /** Weight of the newest minute in the average, which covers about ten minutes. */
  private static final double SMOOTHING = 0.1;
  /** Twice the rate of the minute before raises the threshold by a quarter at once. */
  private static final double PROPORTIONAL = 0.3;
  /** Per minute: spending twice the target rate for 25 minutes doubles the threshold. */
  private static final double INTEGRAL = 0.04;
  /** The error is limited to this factor, up and down: a minute without spending says no more. */
  private static final double MAX_FACTOR = Math.exp(2);

  private final double logLeast;
  private final double logMost;
  private double logThreshold;
  private double rate;
  private double lastError;

  /**
   * Starts at the floor.
   *
   * @param least the floor
   * @param most the ceiling
   */
  ThresholdControl(double least, double most) {
    this.logLeast = Math.log(least);
    this.logThreshold = logLeast;
    this.logMost = Math.log(most);
  }

  /**
   * Computes the step of one minute.
   *
   * @param spent bytes spent in it
   * @param wanted target bytes, more than 0
   * @return the threshold for the next minute
   */
  double step(double spent, double wanted) {
    rate += SMOOTHING * (spent - rate);
    double error = Math.log(Math.max(1 / MAX_FACTOR, Math.min(MAX_FACTOR, rate / wanted)));
    logThreshold += INTEGRAL * error + PROPORTIONAL * (error - lastError);
    logThreshold = Math.max(logLeast, Math.min(logMost, logThreshold));
    lastError = error;
    return Math.exp(logThreshold);
  }
}
