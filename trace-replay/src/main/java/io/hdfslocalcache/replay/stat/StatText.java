/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

import java.io.PrintStream;
import java.time.Instant;
import java.util.Map;

import io.hdfslocalcache.replay.stat.TraceStat.ReadSizes;
import io.hdfslocalcache.replay.text.Text;

/** Prints the numbers of a trace for people. */
public final class StatText {

  private static final String ROW = "%-34s %s%n";

  private final PrintStream out;

  /** Makes a printer. */
  public StatText(PrintStream out) {
    this.out = out;
  }

  /** Prints all. */
  public void print(TraceStat stat) {
    row("from", Instant.ofEpochMilli(stat.start()).toString());
    row("hours", Text.format("%.1f", stat.hours()));
    row("reads", Text.count(stat.reads()));
    row("writes", Text.count(stat.writes()));
    row("blocks", Text.count(stat.blocks()));
    row("blocks read", Text.count(stat.blocksRead()));
    row("blocks read once", Text.percent(stat.blocksReadOnce()) + " of the blocks read");
    row("average block size", Text.bytes(Math.round(stat.averageBlockBytes())));
    print(stat.top());
    row("Zipf exponent", Text.format("%.2f", stat.zipfExponent()));
    row("bytes read", Text.bytes(stat.readBytes()));
    row("short-circuit opens", Text.count(stat.shortCircuit()));
    row("readers", stat.readers() == 0 ? "unknown" : Text.count(stat.readers()));
    print(stat.sizes());
    if (!stat.outcomes().isEmpty()) {
      StringBuilder line = new StringBuilder();
      stat.outcomes().forEach((outcome, share) ->
          line.append(outcome).append(' ').append(Text.percent(share)).append("  "));
      row("reads in the local cache", line.toString().stripTrailing());
    }
  }

  private void print(TopShare top) {
    row("reads on top " + Text.count(top.blocks()) + " blocks, 1 hour", Text.percent(top.reads())
        + Text.format(" (%s to %s in %s; bytes %s)", Text.percent(top.leastReads()),
            Text.percent(top.mostReads()), Text.count(top.hours(), "hour"),
            Text.percent(top.bytes())));
  }

  private void print(ReadSizes sizes) {
    row("bytes of a read, mean", Text.bytes(Math.round(sizes.mean())));
    StringBuilder line = new StringBuilder();
    for (Map.Entry<String, Long> p : sizes.percentiles().entrySet()) {
      line.append(p.getKey()).append(' ').append(Text.bytes(p.getValue())).append("  ");
    }
    row("bytes of a read, percentiles", line.toString().stripTrailing());
    line.setLength(0);
    for (Map.Entry<String, Double> below : sizes.below().entrySet()) {
      line.append('<').append(below.getKey()).append(' ').append(Text.percent(below.getValue()))
          .append("  ");
    }
    row("bytes of a read, shares", line.toString().stripTrailing());
  }

  private void row(String name, String value) {
    out.print(Text.format(ROW, name, value));
  }
}
