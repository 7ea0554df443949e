/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.replay.text.Text;

/**
 * What the HDDs did, and how long readers waited for them. All arrays begin with the trace. A
 * reader waits from the beginning of its read until the HDD has read the last byte that it wants;
 * the wait for an SSD is taken for 0.
 *
 * @param visits visits to an HDD
 * @param seconds seconds that the heads were busy
 * @param hourSeconds the same for the reads that began in each hour; what is left of the last one
 *     counts as an hour from 30 minutes on, otherwise to the hour before
 * @param meanWaitMillis milliseconds that a read waited on average
 * @param p99WaitMillis milliseconds that 99 % of the reads waited at most
 * @param slotMinutes minutes for which waits are counted together
 * @param slotMeanWaitMillis mean of the waits of the reads that began in each slot; -1 if none did
 * @param slotP99WaitMillis 99th percentile of these waits; -1 if there are none
 * @param backlogMinutes minutes in which an HDD had a backlog: it worked for a minute or more
 *     without a pause
 * @param reliefMinutes minutes until the longest backlog was gone, from its beginning; 0 if there
 *     was none; -1 if it lasts until the trace ends
 */
public record DiskLoad(long visits, double seconds, double[] hourSeconds, double meanWaitMillis,
    double p99WaitMillis, long slotMinutes, double[] slotMeanWaitMillis,
    double[] slotP99WaitMillis, long backlogMinutes, long reliefMinutes) {

  /** Value of {@link #reliefMinutes} if the longest backlog lasts until the trace ends. */
  public static final long NEVER = -1;

  /** @return {@link #reliefMinutes} as text. */
  public String relief() {
    return reliefMinutes == NEVER ? "never" : Text.count(reliefMinutes);
  }

  /** @return the load if every read visits the HDD, and nothing else does. */
  static DiskLoad withoutLocalCache(PageTrace trace, Disk disk) {
    DiskMeter meter = new DiskMeter(trace, disk);
    for (int read = 0; read < trace.reads(); read++) {
      double end = meter.visit(read, trace.length(read));
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
