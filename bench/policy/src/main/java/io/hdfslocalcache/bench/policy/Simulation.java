/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.eviction.EvictionPolicy;
import io.hdfslocalcache.eviction.LazyLru;
import io.hdfslocalcache.eviction.NumberedPages;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;

/** Replays a trace against one rate limiter and a page store with one policy of eviction. */
final class Simulation {
  private static final String POOL = "BP-1-10.0.0.1-1";
  private static final double SEEK_SECONDS = 0.0115;
  private static final double BYTES_PER_SECOND = 143e6;
  private static final int MINUTE = 60_000;
  private static final int HOUR = 60 * MINUTE;

  /**
   * What came of it.
   *
   * @param offload share of the bytes read that came from the SSD
   * @param written pages written to the SSD
   * @param headSeconds time the data disks' heads were busy, fills included
   * @param stockSeconds the same without a local cache
   * @param worstHour the greatest share of the two in any hour
   * @param worstHourAt that hour, from 1
   * @param overshoot the most by which writes exceeded credit + budget x time at any minute, as a
   *     share of that; below 0 when they never did
   * @param hits pages that were read from the SSD
   */
  record Result(double offload, long written, double headSeconds, double stockSeconds,
      double worstHour, int worstHourAt, double overshoot, String metrics, long hits) {
  }

  /**
   * The SSD.
   *
   * @param pages its capacity
   * @param eviction which page leaves for another
   * @param compares whether a page enters only if its block is no colder than that of the page that
   *     would have to leave
   */
  record Ssd(long pages, EvictionPolicy eviction, boolean compares) {
  }

  private final Trace trace;
  private final Ssd ssd;
  private final double budgetPerDay;
  private final Map<String, String> settings;
  private int now;

  /**
   * Prepares a run on the SSD that belongs to the trace, with the DataNode's policy of eviction.
   *
   * @param settings the limiter's configuration
   * @param budgetPerDay pages a day that writes are compared with
   */
  Simulation(Trace trace, Map<String, String> settings, double budgetPerDay) {
    this(trace, new Ssd(trace.capacityPages, new LazyLru(), false), settings, budgetPerDay);
  }

  /** Prepares a run on any SSD. */
  Simulation(Trace trace, Ssd ssd, Map<String, String> settings, double budgetPerDay) {
    this.trace = trace;
    this.ssd = ssd;
    this.settings = new HashMap<>(settings);
    this.budgetPerDay = budgetPerDay;
  }

  Result run() {
    CacheRateLimiter limiter =
        RateLimiterFactory.create(RateLimiterConfig.of(settings), () -> now);
    NumberedPages pages =
        new NumberedPages(trace.blocks * trace.pagesPerBlock, ssd.pages, ssd.eviction);
    long bytes = 0;
    long hitBytes = 0;
    long hits = 0;
    long written = 0;
    double head = 0;
    double stock = 0;
    double overshoot = -1;
    double[] hourHead = new double[trace.durationMillis() / HOUR + 1];
    double[] hourStock = new double[hourHead.length];
    int minute = 0;
    for (int read = 0; read < trace.size(); read++) {
      now = trace.millis(read);
      while (now >= (minute + 1) * (long) MINUTE) {
        minute++;
        overshoot = Math.max(overshoot, overshoot(written, minute));
      }
      double headBefore = head;
      double stockBefore = stock;
      int block = trace.block(read);
      limiter.record(POOL, block, trace.length(read));
      boolean admitted = limiter.admits(POOL, block);
      bytes += trace.length(read);
      stock += SEEK_SECONDS + trace.length(read) / BYTES_PER_SECOND;
      boolean lastMissed = false;
      boolean lastFilled = false;
      for (int page = trace.firstPage(read); page <= trace.lastPage(read); page++) {
        int wanted = trace.bytesOf(read, page);
        boolean hit = pages.read(page);
        boolean filled = false;
        if (hit) {
          hitBytes += wanted;
          hits++;
        } else {
          head += (lastMissed ? 0 : SEEK_SECONDS) + wanted / BYTES_PER_SECOND;
          filled = admitted && limiter.admits(POOL, block, page % trace.pagesPerBlock)
              && (!ssd.compares || isWorthIt(limiter, block, pages.victim()));
          if (filled) {
            pages.fill(page);
            written++;
            limiter.written(Trace.PAGE);
            // What the read did not want is read for the fill alone, at the price of a seek.
            int rest = Trace.PAGE - wanted;
            head += rest == 0 ? 0
                : (lastFilled ? 0 : SEEK_SECONDS) + rest / BYTES_PER_SECOND;
          }
        }
        lastMissed = !hit;
        lastFilled = filled;
      }
      hourHead[now / HOUR] += head - headBefore;
      hourStock[now / HOUR] += stock - stockBefore;
    }
    overshoot = Math.max(overshoot, overshoot(written, now / (double) MINUTE));
    int worst = 0;
    for (int hour = 1; hour < hourHead.length; hour++) {
      // Compared without dividing: an hour may have no read.
      worst = hourHead[hour] * hourStock[worst] > hourHead[worst] * hourStock[hour] ? hour : worst;
    }
    String metrics = limiter.metrics().toString();
    limiter.close();
    return new Result((double) hitBytes / bytes, written, head, stock,
        hourHead[worst] / hourStock[worst], worst + 1, overshoot, metrics, hits);
  }

  private boolean isWorthIt(CacheRateLimiter limiter, int block, int victim) {
    return victim < 0 || limiter.accesses(POOL, block)
        >= limiter.accesses(POOL, victim / trace.pagesPerBlock);
  }

  private double overshoot(long written, double minutes) {
    return written / (ssd.pages + budgetPerDay * minutes / 1440) - 1;
  }
}
