/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.text.Text;

/**
 * What came out of a simulation of erasure-coded files. Shares are from 0 to 1.
 *
 * @param name what was simulated
 * @param x threshold of the limiter, or a hyphen
 * @param y window of the limiter, or a hyphen
 * @param capacity bytes that pages may take on the SSD of each DataNode
 * @param offload share of all bytes that came from SSDs
 * @param fromSsds share of the clients' reads of which every byte came from SSDs
 * @param widths the reads by the number of DataNodes that they read from, from 1
 */
public record StripedResult(String name, String x, String y, long capacity, double offload,
    double fromSsds, List<Width> widths) {

  private static final String LAYOUT = "%-28s %4s %5s %8s %8s %9s %10s %8s %9s %9s%n";

  /**
   * Reads that read from so many DataNodes.
   *
   * @param dataNodes how many
   * @param reads how many reads
   * @param internalHits share of their internal reads, one on each DataNode, that were hits
   * @param fromSsds share of the reads all of whose internal reads were
   */
  public record Width(int dataNodes, long reads, double internalHits, double fromSsds) {

    /** @return what {@link #fromSsds} would be if hits on one DataNode said nothing of others. */
    public double ifIndependent() {
      return Math.pow(internalHits, dataNodes);
    }
  }

  /** @return the reads of all DataNodes that have data of a full stripe. */
  public Width full() {
    return widths.get(widths.size() - 1);
  }

  /**
   * Counts.
   *
   * @param internalReads number of internal reads, by read
   * @param internalHits how many of these were hits
   * @param most most internal reads that a read may have
   */
  static StripedResult of(Setting setting, double offload, byte[] internalReads,
      byte[] internalHits, int most) {
    long[] reads = new long[most + 1];
    long[] hits = new long[most + 1];
    long[] fromSsds = new long[most + 1];
    for (int read = 0; read < internalReads.length; read++) {
      int width = internalReads[read];
      reads[width]++;
      hits[width] += internalHits[read];
      fromSsds[width] += internalHits[read] == width ? 1 : 0;
    }
    List<Width> widths = IntStream.rangeClosed(1, most)
        .mapToObj(width -> new Width(width, reads[width],
            share(hits[width], reads[width] * width), share(fromSsds[width], reads[width])))
        .toList();
    Limiter limiter = setting.limiter();
    return new StripedResult(limiter.title() + " " + setting.eviction(), limiter.x(), limiter.y(),
        setting.capacity(), offload,
        share(Arrays.stream(fromSsds).sum(), internalReads.length), widths);
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }

  /** Prints a line for each result. */
  public static void print(PrintStream out, List<StripedResult> results) {
    int data = results.get(0).widths().size();
    out.print(Text.format(LAYOUT, "", "X", "Y", "SSD", "offload", "SSDs only",
        "full reads", "hits", "hits^" + data, "SSDs only"));
    for (StripedResult r : results) {
      Width full = r.full();
      long reads = r.widths().stream().mapToLong(Width::reads).sum();
      out.print(Text.format(LAYOUT, r.name(), r.x(), r.y(), Text.bytes(r.capacity()),
          Text.percent(r.offload()), Text.percent(r.fromSsds()),
          Text.percent((double) full.reads() / reads), Text.percent(full.internalHits()),
          Text.percent(full.ifIndependent()), Text.percent(full.fromSsds())));
    }
    out.println();
    out.println("SSD: of each DataNode; offload: share of bytes from SSDs; SSDs only: share of "
        + "reads that got all");
    out.println("bytes from SSDs; full reads: share of the reads from all " + data
        + " DataNodes with data; of these:");
    out.println("hits of the single DataNodes, what \"SSDs only\" would be if these were "
        + "independent, and what it is");
  }
}
