/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.text.Text;

/**
 * Estimates for an SSD from a simulated local cache. The first filling is separate from the time
 * after it; a figure is a range, from the halves of the trace; it is null if the trace is too
 * short. Shares are from 0 to 1.
 *
 * @param hours length of the trace
 * @param filledHours when the SSD was full, in hours since the start; null: never
 * @param offload share of the bytes read that came from the SSD, the first filling included
 * @param offloads the same in two halves: of the time after the first filling if that is
 *     {@linkplain #isSteady() long enough}, else of the whole trace
 * @param diskTimeSaved saved share of the HDDs' busy time, in the whole trace
 * @param allowed drive writes per day that the endurance allows, without the first filling
 * @param writes drive writes per day after the first filling, in both halves of that time; the
 *     limiter keeps them within the allowed ones; null: unknown
 * @param years life of the SSD with these writes, at most 100 years; null: unknown
 * @param writtenForSaved bytes written to the SSD for each byte that comes from it, after the first
 *     filling; null: unknown
 * @param pricePerTb price of the SSD per TB (2^40 bytes) of reads taken off the HDDs during its
 *     warranty; null: unknown
 */
public record Estimate(double hours, Double filledHours, double offload, Range offloads,
    double diskTimeSaved, double allowed, Range writes, Range years, Double writtenForSaved,
    Range pricePerTb) {

  /** Warranty of SSDs in years, for which drive writes per day are promised. */
  public static final int PROMISED_YEARS = 5;
  /** Minimum length of a trace after the first filling for figures of that time. */
  public static final int LEAST_STEADY_HOURS = 6;
  /** A host is replaced before that. */
  private static final int MOST_YEARS = 20;
  private static final int MOST_KNOWN_YEARS = 100;

  private static final double DAY_HOURS = 24;
  private static final double DAYS_OF_A_YEAR = 365;
  private static final double TB = 1L << 40;

  /** The lower and the higher of two figures. */
  public record Range(double low, double high) {

    static Range of(double one, double other) {
      return new Range(Math.min(one, other), Math.max(one, other));
    }

    /** @return such as {@code 55.1 to 58.0 %}, for a text of one number with its unit behind it. */
    String text(String format, String unit) {
      String from = Text.format(format, low);
      String to = Text.format(format, high);
      return (from.equals(to) ? from : from + " to " + to) + unit;
    }

    String percent() {
      return new Range(100 * low, 100 * high).text("%.1f", " %");
    }
  }

  /** Some of the equal spans of a result's trace. */
  private record Part(Result result, int from, int to) {

    /** @return a figure of both halves. */
    Range halves(ToDoubleFunction<Part> figure) {
      int middle = (from + to) / 2;
      return Range.of(figure.applyAsDouble(new Part(result, from, middle)),
          figure.applyAsDouble(new Part(result, middle, to)));
    }

    double hours() {
      return (to - from) * result.spanHours();
    }

    private double sum(IntToDoubleFunction ofSpan) {
      return IntStream.range(from, to).mapToDouble(ofSpan).sum();
    }

    double bytesFromSsd() {
      return sum(i -> Math.max(0, result.spanOffload()[i]) * result.spanBytes()[i]);
    }

    double offload() {
      double bytes = sum(i -> result.spanBytes()[i]);
      return bytes == 0 ? 0 : bytesFromSsd() / bytes;
    }

    double written() {
      return sum(i -> result.spanBytesWritten()[i]);
    }
  }

  /** @return the estimate of a result with a limiter that keeps the allowed writes. */
  public static Estimate of(Result result, Wish wish, double allowed) {
    int spans = result.spanBytesWritten().length;
    int full = 0;
    for (long written = 0; full < spans && written < result.capacity(); full++) {
      written += result.spanBytesWritten()[full];
    }
    Part all = new Part(result, 0, spans);
    Part after = new Part(result, full, spans);
    // Evictions begin when the SSD is full.
    boolean isFull = result.evictions() > 0 && full < spans;
    boolean isLong = !Result.isTooShort(all.hours());
    boolean isSteady = isLong && isFull && after.hours() >= LEAST_STEADY_HOURS && spans - full >= 2;
    Part known = isSteady ? after : all;
    double ssd = wish.ssdBytes(result.capacity());
    Range writes = !isSteady ? null : after.halves(half ->
        Math.min(allowed, half.written() / ssd / (half.hours() / DAY_HOURS)));
    return new Estimate(all.hours(), isFull ? full * result.spanHours() : null, result.offload(),
        known.halves(Part::offload), result.diskTimeSaved(), allowed, writes,
        writes == null ? null
            : Range.of(years(allowed, writes.high()), years(allowed, writes.low())),
        isSteady && after.bytesFromSsd() > 0 ? after.written() / after.bytesFromSsd() : null,
        wish.price() > 0 && isLong && known.halves(Part::bytesFromSsd).low() > 0 ? known.halves(half ->
            wish.price() * result.capacity() / wish.capacity() / (PROMISED_YEARS * DAYS_OF_A_YEAR
                * half.bytesFromSsd() / TB / (half.hours() / DAY_HOURS))) : null);
  }

  private static double years(double allowed, double writes) {
    return Math.min(MOST_KNOWN_YEARS, PROMISED_YEARS * allowed / writes);
  }

  /** @return whether the trace is long enough for figures per day. */
  boolean isLong() {
    return !Result.isTooShort(hours);
  }

  /** @return whether the trace is long enough for figures after the first filling. */
  boolean isSteady() {
    return writes != null;
  }

  /** @return the offload, and its period. */
  String offloadText() {
    return Text.format("%s of the bytes read come from the SSD (%s), and the heads of the HDDs are "
        + "busy %s less. The trace is %s long; over all of it, the offload is %s.",
        offloads.percent(), isSteady()
            ? "the halves of the trace after the SSD was full" : "the halves of the trace",
        Text.percent(diskTimeSaved), Text.length(hours), Text.percent(offload));
  }

  /** @return the life of the SSD, or why it is not known. */
  String lifeText() {
    if (!isLong()) {
      return Result.tooShort(hours);
    }
    String allowedText = Text.format("After its first filling, the limiter writes the SSD %s times "
        + "a day at most, which its endurance allows", Text.number(allowed));
    if (!isSteady()) {
      return allowedText + (filledHours == null ? ". It is not full at the end of the trace"
          : Text.format(". It is full after %s", Text.length(filledHours)))
          + Text.format(", so the trace does not show what is written then: that needs %d hours "
              + "after the first filling.", LEAST_STEADY_HOURS);
    }
    return Text.format("%s. In this trace it was full after %s, and then written %s times a day: "
        + "it would last %s.", allowedText, Text.length(filledHours), writes.text("%.2f", ""),
        yearsText());
  }

  /** @return such as {@code 8.1 to 10.2 years}, or a hyphen. */
  String yearsText() {
    return years == null ? "-" : years.low() > MOST_YEARS ? "more than " + MOST_YEARS + " years"
        : years.high() > MOST_YEARS
        ? Text.format("%.1f to more than %d years", years.low(), MOST_YEARS)
        : years.text("%.1f", " years");
  }

  /** @return the cost of taking reads off the HDDs; empty if unknown. */
  String costText() {
    return (writtenForSaved == null ? "" : Text.format("For each TB of reads that the SSD takes off "
        + "the HDDs, %.2f TB are written to it after its first filling.", writtenForSaved))
        + (pricePerTb == null ? "" : Text.format(" Over %d years, a TB of reads that is "
            + "taken off costs %s, in the currency of --price.", PROMISED_YEARS,
            pricePerTb.text("%.3f", "")));
  }
}
