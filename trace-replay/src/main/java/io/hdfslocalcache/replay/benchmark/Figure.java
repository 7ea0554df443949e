/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;
import org.HdrHistogram.Histogram;

/**
 * A number that is told of each phase.
 *
 * @param key in JSON
 * @param title for people
 * @param format of the number
 * @param value the number; NaN if it is unknown
 */
record Figure(String key, String title, String format, ToDoubleFunction<Phase> value) {

  private static final double MB = 1 << 20;
  private static final double MILLIS = 1000;
  private static final String COUNT = "%,.0f";
  private static final String ONE_DIGIT = "%,.1f";

  /** All of them, in the order of the table. */
  static final List<Figure> ALL = List.of(
      of("reads", "reads", COUNT, Tally::operations),
      of("megabytes", "MB read", ONE_DIGIT, t -> t.bytes() / MB),
      of("seconds", "seconds from first to last", ONE_DIGIT, t -> t.spanMillis() / MILLIS),
      of("throughput_mb_per_s", "throughput, MB/s", ONE_DIGIT, Figure::throughput),
      of("reads_per_s", "reads per second", ONE_DIGIT,
          t -> perSecond(t.operations(), t.spanMillis())),
      latency("latency_ms_mean", "latency, ms: mean", Histogram::getMean),
      percentile("p50", 50), percentile("p90", 90), percentile("p99", 99),
      percentile("p99.9", 99.9),
      latency("latency_ms_max", "  max", Histogram::getMaxValue),
      of("waited_seconds", "waited for reads, seconds, all readers", ONE_DIGIT,
          Tally::waitedSeconds),
      of("waiting_mean", "readers waiting, mean", "%,.2f",
          t -> perSecond(t.waitedSeconds(), t.spanMillis())),
      of("late", "late reads", COUNT, Tally::late),
      of("latest_ms", "  the latest, ms", COUNT, Tally::behindMillis),
      of("failed", "failed reads", COUNT, Tally::failed),
      share("offload_percent", "offload, %", Counters::offload),
      share("reuse_percent", "reuse rate, %", Counters::reuseRate));

  private static Figure of(String key, String title, String format, ToDoubleFunction<Tally> value) {
    return new Figure(key, title, format, phase -> value.applyAsDouble(phase.main()));
  }

  private static Figure percentile(String name, double percentile) {
    return latency("latency_ms_" + name, "  " + name,
        micros -> micros.getValueAtPercentile(percentile));
  }

  /** A histogram without reads says 0, which nobody measured. */
  private static Figure latency(String key, String title, ToDoubleFunction<Histogram> micros) {
    return of(key, title, "%,.2f", t -> t.operations() == 0 ? Double.NaN
        : micros.applyAsDouble(t.micros()) / MILLIS);
  }

  private static Figure share(String key, String title, Function<Counters, OptionalDouble> share) {
    return new Figure(key, title, ONE_DIGIT, phase -> 100 * phase.counted().counters()
        .map(share).orElse(OptionalDouble.empty()).orElse(Double.NaN));
  }

  /** @return MB/s from the first operation to the last. */
  static double throughput(Tally tally) {
    return perSecond(tally.bytes() / MB, tally.spanMillis());
  }

  private static double perSecond(double amount, long millis) {
    return millis == 0 ? Double.NaN : amount * MILLIS / millis;
  }

  double of(Phase phase) {
    return value.applyAsDouble(phase);
  }

  String text(Phase phase) {
    double number = of(phase);
    return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, format, number);
  }

  /** @return the second as a multiple of the first; a hyphen if there is none */
  String ratio(Phase first, Phase second) {
    double ratio = of(second) / of(first);
    return Double.isFinite(ratio) ? Text.format("%.3f", ratio) : "-";
  }
}
