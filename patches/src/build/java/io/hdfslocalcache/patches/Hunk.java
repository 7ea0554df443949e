/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.patches.FilePatch.FileLines;

/**
 * One change of a file: a run of lines with the lines around them.
 *
 * @param where patch and line of the hunk's {@code @@}
 * @param oldStart line number, from 1, that the first old line should have; 0 in a new file
 * @param body lines of the patch, each with its leading space, plus or minus
 */
record Hunk(String where, int oldStart, List<String> body) {

  /** Returns the lines that the file must have: context and removed lines. */
  List<String> oldLines() {
    return without('+');
  }

  /** Returns the lines that take their place: context and added lines. */
  List<String> newLines() {
    return without('-');
  }

  /**
   * Finds the one place where every old line is as the hunk says. There is no fuzz. If the lines
   * are not where they are expected, they may be elsewhere, but then in one place only.
   *
   * @param from index of the first line that no earlier hunk has changed
   * @param expected index of the first old line, if nothing has shifted
   * @throws RefusedHunk if there is no such place, or no telling which
   */
  int locate(FileLines file, int from, int expected) throws RefusedHunk {
    List<String> old = oldLines();
    int[] places = IntStream.rangeClosed(from, file.lines().size() - old.size())
        .filter(at -> file.lines().subList(at, at + old.size()).equals(old))
        .toArray();
    if (IntStream.of(places).anyMatch(at -> at == expected)) {
      return expected;
    }
    if (places.length == 1) {
      return places[0];
    }
    throw new RefusedHunk(this, file, expected, "the hunk "
        + (places.length == 0 ? "does not apply to " : "applies to several places of ")
        + file.path() + " (expected at line " + (expected + 1) + ")");
  }

  private List<String> without(char sign) {
    return body.stream()
        .filter(line -> line.charAt(0) != sign)
        .map(line -> line.substring(1))
        .toList();
  }

  /** A hunk does not apply exactly, or could go to several places. */
  static final class RefusedHunk extends PatchException {

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
}
