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
  private static final double PROPORTIONAL = 0.3;
  /** Spending twice the target rate for 36 minutes doubles the threshold. */
  private static final double INTEGRAL = 0.04;
  /** A minute's error is limited to a factor of e^2. */
  private static final double MAX_ERROR = 2;

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
    double error = Math.log(Math.max(rate, wanted / 1000) / wanted);
    error = Math.max(-MAX_ERROR, Math.min(MAX_ERROR, error));
    logThreshold += INTEGRAL * error + PROPORTIONAL * (error - lastError);
    logThreshold = Math.max(logLeast, Math.min(logMost, logThreshold));
    lastError = error;
    return Math.exp(logThreshold);
  }
}
