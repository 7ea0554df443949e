/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.io.PrintStream;
import java.util.List;

import io.hdfslocalcache.replay.text.Text;

/** Prints results for people. */
public final class ResultTable {

  private static final String LAYOUT = "%-36s %4s %5s %7s %8s %8s %8s %8s %9s %6s %8s %8s "
      + "%10s %10s %7s %7s%n";

  private static final double PERCENT = 100;
  private static final double MILLIS = 1000;
  private static final double SECONDS_PER_HOUR = 3600;

  private final PrintStream out;

  /** Makes a printer. */
  public ResultTable(PrintStream out) {
    this.out = out;
  }

  /** Prints a line for each result. */
  public void print(List<Result> results) {
    out.print(Text.format(LAYOUT, "", "X", "Y", "page", "SSD", "offload", "requests", "reuse",
        "SSD/day", "DWPD", "unread", "HDD time", "worst hour", "p99 wait", "relief", "heap"));
    results.forEach(this::print);
    out.println();
    out.println("offload: share of bytes from SSD (byte hit rate); requests: share of reads from "
        + "SSD alone;");
    out.println("reuse: share of hits in reads of admitted blocks; SSD/day: bytes written, the "
        + "first filling");
    out.println("included; DWPD: the same in multiples of what pages may take; unread: share of "
        + "evicted pages");
    out.println("never read; HDD time: share of head time saved; worst hour: head time in % of "
        + "that without local");
    out.println("cache, and the hour; p99 wait: for the HDDs, of all reads; relief: minutes until "
        + "the HDDs'");
    out.println("longest backlog is gone; heap: of pages and limiter");
    results.stream().findFirst().map(Result::loadWithout).ifPresent(without ->
        out.println(Text.format("Without local cache: %s h of HDD time, p99 wait %s, relief %s",
            Text.format("%.1f", without.seconds() / SECONDS_PER_HOUR),
            millis(without.p99WaitMillis()), without.relief())));
  }

  private void print(Result r) {
    out.print(Text.format(LAYOUT, r.name(), r.x(), r.y(), Text.bytes(r.pageSize()),
        Text.bytes(r.capacity()), Text.percent(r.offload()), Text.percent(r.requestHitRate()),
        Text.percent(r.reuseRate()), Text.bytes(Math.round(r.bytesWrittenPerDay())),
        Text.format("%.2f", r.driveWritesPerDay()),
        r.evictions() == 0 ? "-" : Text.percent((double) r.evictionsWithoutRead() / r.evictions()),
        Text.percent(r.diskTimeSaved()),
        Text.format("%.0f %% (%d)", PERCENT * r.worstHourDiskTime(), r.worstHour()),
        millis(r.load().p99WaitMillis()), r.load().relief(), Text.bytes(r.heapBytes())));
  }

  private static String millis(double millis) {
    return millis < MILLIS ? Text.format("%.0f ms", millis)
        : Text.format("%,.1f s", millis / MILLIS);
  }
}
