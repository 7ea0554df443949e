/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.profile;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Where two DataNodes spend the CPU time of a read, side by side. */
public final class ProfileTable {

  private static final int LINES = 60;
  private static final int SELF_LINES = 20;

  /**
   * One side.
   *
   * @param name of the DataNode
   * @param microsPerRead CPU time of all its threads but the JIT compiler's, by the kernel
   */
  public record Side(String name, Stacks stacks, double microsPerRead) {
    /** The profiler's samples, scaled to what the kernel has counted. */
    double micros(Map<String, Long> samples, String frame) {
      return samples.getOrDefault(frame, 0L) * microsPerRead / Math.max(1, stacks.all());
    }
  }

  private ProfileTable() {
  }

  /** @return Markdown: microseconds of CPU per read in the costliest frames. */
  public static String of(String load, List<Side> sides) {
    StringBuilder text = new StringBuilder("## ").append(load).append("\n\n");
    for (Side side : sides) {
      text.append(String.format(Locale.ROOT, "- %s: %.1f us of CPU per read, %.0f %% of it in "
          + "threads that serve clients (%d samples)%n", side.name(), side.microsPerRead(),
          100.0 * side.stacks().serving() / Math.max(1, side.stacks().all()),
          side.stacks().serving()));
    }
    text.append("\nMicroseconds per read with the frame anywhere on the stack:\n\n");
    table(text, sides, sides.stream().map(s -> s.stacks().inclusive()).toList(), LINES);
    text.append("\nMicroseconds per read in the frame itself:\n\n");
    table(text, sides, sides.stream().map(s -> s.stacks().self()).toList(), SELF_LINES);
    return text.append('\n').toString();
  }

  private static void table(StringBuilder text, List<Side> sides,
      List<Map<String, Long>> samples, int lines) {
    text.append("| frame | ").append(sides.stream().map(Side::name)
        .collect(Collectors.joining(" | "))).append(" |\n|---|")
        .append("---:|".repeat(sides.size())).append('\n');
    Set<String> frames = new TreeSet<>();
    samples.forEach(s -> frames.addAll(s.keySet()));
    frames.stream().sorted((a, b) -> Double.compare(most(sides, samples, b),
        most(sides, samples, a))).limit(lines).forEach(frame -> {
          text.append("| `").append(frame.replace('/', '.')).append('`');
          for (int i = 0; i < sides.size(); i++) {
            text.append(String.format(
                Locale.ROOT, " | %.2f", sides.get(i).micros(samples.get(i), frame)));
          }
          text.append(" |\n");
        });
  }

  private static double most(List<Side> sides, List<Map<String, Long>> samples, String frame) {
    double most = 0;
    for (int i = 0; i < sides.size(); i++) {
      most = Math.max(most, sides.get(i).micros(samples.get(i), frame));
    }
    return most;
  }
}
