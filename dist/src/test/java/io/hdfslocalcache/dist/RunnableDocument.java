/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A document whose commands can be run: in indented blocks, lines that start with {@code $} are
 * commands, those that start with {@code >} continue them, and the others are what they print.
 * {@code ...} stands for any number of lines.
 */
final class RunnableDocument {

  static final String ANY = "...";
  private static final String INDENT = "    ";

  /**
   * One command.
   *
   * @param line where it is in the document, from 0
   * @param command its text, of one or more lines
   * @param expected the lines that it prints
   */
  record Step(int line, String command, List<String> expected) {

    /** Tells whether some output is the expected one. */
    boolean matches(List<String> actual) {
      return matches(expected, actual);
    }

    private static boolean matches(List<String> expected, List<String> actual) {
      if (expected.isEmpty()) {
        return actual.isEmpty();
      }
      List<String> rest = expected.subList(1, expected.size());
      if (expected.get(0).strip().equals(ANY)) {
        return matches(rest, actual)
            || !actual.isEmpty() && matches(expected, actual.subList(1, actual.size()));
      }
      return !actual.isEmpty() && plain(expected.get(0)).equals(plain(actual.get(0)))
          && matches(rest, actual.subList(1, actual.size()));
    }

    /** Removes what differs between runs: numbers and the widths of columns. */
    private static String plain(String line) {
      return line.strip().replaceAll("[0-9][0-9.,]*", "0").replaceAll(" +", " ");
    }
  }

  private final List<String> lines;

  RunnableDocument(Path file) throws IOException {
    lines = Files.readAllLines(file);
  }

  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(INDENT + "$ ")) {
        StringBuilder command = new StringBuilder(lines.get(i).substring(6));
        int next = i + 1;
        for (; next < lines.size() && lines.get(next).startsWith(INDENT + "> "); next++) {
          command.append('\n').append(lines.get(next).substring(6));
        }
        List<String> expected = new ArrayList<>();
        for (; isOutput(next); next++) {
          expected.add(lines.get(next).substring(INDENT.length()));
        }
        steps.add(new Step(i, command.toString(), expected));
      }
    }
    return steps;
  }

  private boolean isOutput(int i) {
    return i < lines.size() && lines.get(i).startsWith(INDENT)
        && !lines.get(i).startsWith(INDENT + "$ ");
  }
}
