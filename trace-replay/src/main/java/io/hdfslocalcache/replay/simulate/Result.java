/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.List;

import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.text.Text;

/**
 * The result of a simulation. Rates are from 0 to 1.
 *
 * @param name name of the simulation
 * @param x threshold of the limiter, or a hyphen
 * @param y its window, or a hyphen
 * @param pageSize bytes of data in a page
 * @param capacity bytes that pages may take on the SSD
 * @param reads reads
 * @param bytes bytes read
 * @param hits reads served from the SSD alone
 * @param partialHits reads served from both
 * @param missesAdmitted reads of admitted blocks without any byte on the SSD
 * @param missesNotAdmitted other reads without any byte on the SSD
 * @param offload share of all bytes that came from SSD: the byte hit rate
 * @param requestHitRate share of all reads that were hits
 * @param pageHitRate share of the pages of all reads that were on the SSD
 * @param reuseRate share of the hits among hits, partial hits and misses of admitted blocks
 * @param bytesWritten bytes written to the SSD, including the first filling
 * @param fills pages written to the SSD, with one or more parts
 * @param partsWritten parts of pages written to the SSD
 * @param evictions pages evicted
 * @param evictionsWithoutRead pages evicted without having been read
 * @param diskReadsSaved reads less the visits to a disk
 * @param diskTimeSaved share of the time that the disks' heads are busy without local cache
 * @param worstHour the hour in which their time is the greatest share of that without local cache,
 *     from 1
 * @param worstHourDiskTime the share in that hour; above 1 if the disks were busier than without
 *     local cache
 * @param load load of the disks
 * @param loadWithout their load without a local cache
 * @param mostPages maximum number of pages on the SSD
 * @param heapBytes heap for these pages and for the limiter, in bytes
 * @param spanHours length in hours of the equal spans of the trace
 * @param spanOffload offload in each of these spans; -1 if nothing was read in it
 * @param spanBytesWritten bytes written to the SSD in each of these spans
 * @param spanBytes bytes read in each of these spans
 */
public record Result(String name, String x, String y, int pageSize, long capacity, long reads,
    long bytes, long hits, long partialHits, long missesAdmitted, long missesNotAdmitted,
    double offload, double requestHitRate, double pageHitRate, double reuseRate, long bytesWritten,
    long fills, long partsWritten, long evictions, long evictionsWithoutRead, long diskReadsSaved,
    double diskTimeSaved, int worstHour, double worstHourDiskTime, DiskLoad load,
    DiskLoad loadWithout, long mostPages, long heapBytes, double spanHours, double[] spanOffload,
    long[] spanBytesWritten, long[] spanBytes) {

  /** Approximate heap of a page in the local cache; see dfs.datanode.local.cache.page.size. */
  static final int HEAP_PER_PAGE = 250;
  /** A shorter trace does not show a day's rhythm. */
  private static final int LEAST_HOURS = 12;
  private static final double DAY_HOURS = 24;

  /** @return whether a trace says nothing of a day. @param hours its length */
  public static boolean isTooShort(double hours) {
    return hours < LEAST_HOURS;
  }

  /** @return what a trace that {@linkplain #isTooShort is too short} does not say. */
  public static String tooShort(double hours) {
    return Text.format("A trace of %s is too short to say what is written or saved in a day, or "
        + "how long the SSD lasts: this needs %d hours at least.", Text.length(hours), LEAST_HOURS);
  }

  /** @return length of the trace. */
  public double hours() {
    return spanHours * spanOffload.length;
  }

  /**
   * @return busy time of the HDDs in the worst ten minutes after the first hour, relative to the
   *     worst without local cache, perhaps at another time: the figure for sizing HDDs. 0 if
   *     nothing is read
   */
  public double peakDiskTime() {
    return loadWithout.peakSeconds() == 0 ? 0 : load.peakSeconds() / loadWithout.peakSeconds();
  }

  /** Formats results as a table. */
  public static final class ResultTable {

    private static final String LEGEND = """
    offload: share of bytes from SSD (byte hit rate); requests: share of reads from SSD alone;
    reuse: share of hits in reads of admitted blocks; SSD/day: bytes written, the first filling
    included; DWPD: the same in multiples of what pages may take; unread: share of evicted pages
    never read; HDD saved: share of head time saved; worst hour: head time in % of that without local
    cache, and the hour; peak: the same of the worst ten minutes after the first hour, in % of the
    worst without local cache; p99 wait: for the HDDs, of all reads; relief: minutes until the HDDs'
    longest backlog is gone; heap: of pages and limiter
    """;
    private static final double PERCENT = 100;
    private static final double MILLIS = 1000;
    private static final double SECONDS_PER_HOUR = 3600;

    private ResultTable() {
    }

    private static List<String> cells(Result r) {
      boolean isTooShort = isTooShort(r.hours());
      double perDay = r.bytesWritten() / r.hours() * DAY_HOURS;
      return List.of(r.name(), r.x(), r.y(), Sizes.text(r.pageSize()), Sizes.text(r.capacity()),
          Text.percent(r.offload()), Text.percent(r.requestHitRate()),
          Text.percent(r.reuseRate()), isTooShort ? "-" : Sizes.text(Math.round(perDay)),
          isTooShort ? "-" : Text.format("%.2f", perDay / r.capacity()), r.evictions() == 0 ? "-"
              : Text.percent((double) r.evictionsWithoutRead() / r.evictions()),
          Text.percent(r.diskTimeSaved()),
          Text.format("%.0f %% (%d)", PERCENT * r.worstHourDiskTime(), r.worstHour()),
          Text.percent(r.peakDiskTime()),
          millis(r.load().p99WaitMillis()), r.load().relief(), Sizes.text(r.heapBytes()));
    }

    /** @return a line for each result, and the meaning of the columns. @param results not empty */
    public static String text(List<Result> results) {
      Table table = new Table("limiter", ">X", ">Y", ">page", ">SSD", ">offload", ">requests",
          ">reuse", ">SSD/day", ">DWPD", ">unread", ">HDD saved", ">worst hour", ">peak", ">p99 wait",
          ">relief", ">heap");
      results.forEach(r -> table.row(cells(r)));
      Result first = results.get(0);
      DiskLoad without = first.loadWithout();
      return table.text() + "\n" + LEGEND + (isTooShort(first.hours())
          ? tooShort(first.hours()) + "\n" : "") + Text.format(
          "Without local cache: %.1f h of HDD time, p99 wait %s, relief %s%n",
          without.seconds() / SECONDS_PER_HOUR, millis(without.p99WaitMillis()),
          without.relief());
    }

    private static String millis(double millis) {
      return millis < MILLIS ? Text.format("%.0f ms", millis)
          : Text.format("%,.1f s", millis / MILLIS);
    }
  }
}
