/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** Compares the generated hosts, at full size, with the rows of Uber's table they stand for. */
public final class HostTable {
  private static final int TOP = 10_000;
  private static final int HOUR = 3_600_000;

  private HostTable() {
  }

  /** Prints one line for each host: reads, distinct blocks, share of the hour's top 10,000. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    for (Host host : List.of(Host.A, Host.B)) {
      print(host.irm(1, 1));
      print(host.churn(1, 2));
    }
  }

  private static void print(Trace trace) {
    int[] counts = new int[trace.blocks];
    BitSet all = new BitSet();
    double shares = 0;
    int hours = 0;
    int first = 0;
    for (int read = 0; read <= trace.size(); read++) {
      if (read == trace.size() || trace.millis(read) / HOUR > trace.millis(first) / HOUR) {
        shares += topShare(counts, read - first);
        hours++;
        first = read;
        Arrays.fill(counts, 0);
      }
      if (read < trace.size()) {
        counts[trace.block(read)]++;
        all.set(trace.block(read));
      }
    }
    System.out.printf("| %s | %,d | %,d | %.1f %% |%n",
        trace.name, trace.size(), all.cardinality(), 100 * shares / hours);
  }

  private static double topShare(int[] counts, int reads) {
    int[] sorted = counts.clone();
    Arrays.sort(sorted);
    long top = 0;
    for (int i = Math.max(0, sorted.length - TOP); i < sorted.length; i++) {
      top += sorted[i];
    }
    return (double) top / reads;
  }
}
