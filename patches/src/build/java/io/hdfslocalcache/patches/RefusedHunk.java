/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A hunk does not apply exactly, or could go to several places. */
final class RefusedHunk extends PatchException {

  private static final long serialVersionUID = 1L;

  private final transient Hunk hunk;
  private final transient FileLines file;
  private final int expected;

  /**
   * @param file as it was when the hunk was refused
   * @param expected index of the line at which the hunk was expected
   */
  RefusedHunk(Hunk hunk, FileLines file, int expected, String what) {
    super(hunk.where(), what);
    this.hunk = hunk;
    this.file = new FileLines(file.path(), List.copyOf(file.lines()));
    this.expected = expected;
  }

  /** Returns the lines that the hunk needs, and those that are at the likeliest place for it. */
  List<String> bothSides() {
    List<String> old = hunk.oldLines();
    int at = likeliest(old);
    List<String> sides = new ArrayList<>();
    sides.add("  the patch needs:");
    old.forEach(line -> sides.add("    | " + line));
    sides.add("  the sources have, from line " + (at + 1) + ":");
    file.lines().stream().skip(at).limit(old.size()).forEach(line -> sides.add("    | " + line));
    return sides;
  }

  /** Where most lines are as the hunk says; of several such places the nearest. */
  private int likeliest(List<String> old) {
    int last = Math.max(file.lines().size() - old.size(), 0);
    return IntStream.rangeClosed(0, last).boxed()
        .max(Comparator.<Integer>comparingInt(at -> equalLines(old, at))
            .thenComparingInt(at -> -Math.abs(at - expected)))
        .orElse(0);
  }

  private int equalLines(List<String> old, int at) {
    int size = Math.min(old.size(), file.lines().size() - at);
    return (int) IntStream.range(0, size)
        .filter(i -> !old.get(i).isBlank() && old.get(i).equals(file.lines().get(at + i)))
        .count();
  }
}
