/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;
import java.util.BitSet;

import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access;
import org.HdrHistogram.Histogram;

/**
 * The HDDs of a DataNode. Each has a share of the blocks and serves one visit at a time.
 *
 * @param seekMillis milliseconds of each visit before the first byte
 * @param bytesPerSecond bytes a second from then on
 * @param count number of HDDs; blocks are spread over them in turn
 */
public record Disk(double seekMillis, double bytesPerSecond, int count) {

  /**
   * Twelve large HDDs: 11.5 ms and 143 MB/s (of 10^6 bytes), as in Baleen (Wong et al., FAST
   * 2024).
   */
  public static final Disk DEFAULT = new Disk(11.5, 143e6, 12);

  private static final double MILLIS = 1000;

  /** @return seconds that the head of an HDD is busy for a visit. */
  double seconds(long bytes) {
    return seekMillis / MILLIS + bytes / bytesPerSecond;
  }

  /**
   * Scales the HDDs' speed by one factor.
   *
   * @param load demand of the trace relative to the HDDs' speed, without a local cache: with 1.5,
   *     HDDs fall behind by half an hour in each hour
   */
  public Disk withLoad(Trace trace, double load) {
    double busy = 0;
    for (Access access : trace.accesses()) {
      busy += access.isRead() && access.length() > 0 ? seconds(access.length()) : 0;
    }
    double factor = busy == 0 ? 1 : load * count * trace.spanMillis() / MILLIS / busy;
    return new Disk(seekMillis * factor, bytesPerSecond / factor, count);
  }

  /**
   * The load of the HDDs, and readers' waits for them. All arrays begin with the trace. A reader
   * waits from the start of its read until the HDD has read its last byte; the wait for an SSD
   * counts as 0.
   *
   * @param visits visits to an HDD
   * @param seconds seconds that the heads were busy
   * @param hourSeconds the same for the reads that began in each hour; the rest of the last one
   *     counts as an hour from 30 minutes on, otherwise as part of the hour before
   * @param peakSeconds seconds that the heads were busy in the ten minutes with most of them, after
   *     the first hour, in which an SSD may be empty; of all, in a trace that is no longer. Every
   *     read counts where it began, and ten minutes begin each ten minutes
   * @param meanWaitMillis mean wait of a read in milliseconds
   * @param p99WaitMillis 99th percentile of the waits in milliseconds
   * @param reliefMinutes minutes until the longest backlog was gone, in which an HDD worked for a
   *     minute or more without a pause, from its beginning; 0 if there was none; -1 if it lasts
   *     until the trace ends
   */
  public record DiskLoad(long visits, double seconds, double[] hourSeconds, double peakSeconds,
      double meanWaitMillis, double p99WaitMillis, long reliefMinutes) {

    /** Value of {@link #reliefMinutes} if the longest backlog lasts until the trace ends. */
    public static final long NEVER = -1;

    /** @return {@link #reliefMinutes} as text. */
    public String relief() {
      return reliefMinutes == NEVER ? "never" : Text.count(reliefMinutes);
    }

    /** @return the load if exactly every read visits the HDD. */
    static DiskLoad withoutLocalCache(PageTrace trace, Disk disk) {
      DiskMeter meter = new DiskMeter(trace, disk);
      for (int read = 0; read < trace.reads(); read++) {
        double end = meter.visit(read, trace.read(read).length());
        meter.served(read, end);
      }
      return meter.load();
    }

    /** @return seconds of each hour as share of those of another load; -1 if it has none there. */
    double[] hoursRelativeTo(DiskLoad other) {
      double[] relative = new double[hourSeconds.length];
      for (int hour = 0; hour < relative.length; hour++) {
        relative[hour] = other.hourSeconds[hour] == 0 ? -1
            : hourSeconds[hour] / other.hourSeconds[hour];
      }
      return relative;
    }
  }

  /**
   * The queues of HDDs, with meters. A visit begins when all earlier ones of its HDD have ended.
   * Times are milliseconds since the trace began.
   */
  static final class DiskMeter {

    private static final double MICROS = 1000;
    private static final double MILLIS = 1000;
    private static final double MINUTE = 60_000;
    private static final double HOUR = 60 * MINUTE;
    private static final double TEN_MINUTES = 10 * MINUTE;
    private static final int FIRST_HOUR = 6;
    /** A longer wait counts as one of about four months. */
    private static final long MAX_MICROS = 10_000_000_000_000L;
    private static final int DIGITS = 2;
    private static final double PERCENTILE = 99;

    private final PageTrace trace;
    private final Disk disk;
    /** By HDD: start and end of its present busy period. */
    private final double[] busySince;
    private final double[] busyUntil;
    private final double[] hourSeconds;
    private final double[] tenMinuteSeconds;
    /** By minute: whether an HDD is in a busy period of a minute or more. */
    private final BitSet backlog = new BitSet();
    private long visits;

    /** How long reads waited. */
    private final Histogram waits = new Histogram(MAX_MICROS, DIGITS);
    private double waitSum;

    /** Starts with idle HDDs. */
    DiskMeter(PageTrace trace, Disk disk) {
      this.trace = trace;
      this.disk = disk;
      this.busySince = new double[disk.count()];
      this.busyUntil = new double[disk.count()];
      this.hourSeconds = new double[(int) Math.max(1, Math.round(trace.spanMillis() / HOUR))];
      this.tenMinuteSeconds = new double[(int) (trace.spanMillis() / TEN_MINUTES) + 1];
    }

    /** A read visits its block's HDD now. @return when its bytes arrive */
    double visit(int read, long bytes) {
      double now = trace.millis(read);
      double seconds = disk.seconds(bytes);
      int number = trace.read(read).replica() % disk.count();
      if (busyUntil[number] <= now) {
        pause(number);
        busySince[number] = now;
        busyUntil[number] = now;
      }
      busyUntil[number] += seconds * MILLIS;
      hourSeconds[Math.min(hourSeconds.length - 1, (int) (now / HOUR))] += seconds;
      tenMinuteSeconds[(int) (now / TEN_MINUTES)] += seconds;
      visits++;
      return busyUntil[number];
    }

    /** A read has all its bytes. */
    void served(int read, double at) {
      double wait = Math.max(0, at - trace.millis(read));
      waits.recordValue((long) Math.min(MAX_MICROS, wait * MICROS));
      waitSum += wait;
    }

    private void pause(int number) {
      if (busyUntil[number] - busySince[number] >= MINUTE) {
        backlog.set((int) (busySince[number] / MINUTE), (int) (busyUntil[number] / MINUTE) + 1);
      }
    }

    private long reliefMinutes(int last) {
      int longest = 0;
      int until = 0;
      for (int from = backlog.nextSetBit(0); from >= 0; from = backlog.nextSetBit(until)) {
        until = backlog.nextClearBit(from);
        if (until - from >= longest) {
          longest = until > last ? Integer.MAX_VALUE : until - from;
        }
      }
      return longest == Integer.MAX_VALUE ? DiskLoad.NEVER : longest;
    }

    private double peakSeconds() {
      int first = tenMinuteSeconds.length > FIRST_HOUR ? FIRST_HOUR : 0;
      return Arrays.stream(tenMinuteSeconds, first, tenMinuteSeconds.length).max().orElse(0);
    }

    /** @return the load at the end of the trace. */
    DiskLoad load() {
      for (int number = 0; number < disk.count(); number++) {
        pause(number);
      }
      int last = (int) (trace.spanMillis() / MINUTE);
      return new DiskLoad(visits, Arrays.stream(hourSeconds).sum(), hourSeconds,
          peakSeconds(), waitSum / Math.max(1, waits.getTotalCount()),
          waits.getValueAtPercentile(PERCENTILE) / MICROS, reliefMinutes(last));
    }
  }
}
