/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.util.List;
import java.util.stream.IntStream;

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
}
