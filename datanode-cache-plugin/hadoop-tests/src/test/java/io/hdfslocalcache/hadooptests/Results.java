/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Results of one test class in one mode, as {@link ResultsListener} has written them.
 *
 * @param tests the outcome of each test
 * @param counts the local cache's counters, by the names of its metrics
 * @param isComplete false if the JVM ended before all tests were over, or was not started
 */
record Results(Map<String, Outcome> tests, Map<String, Long> counts, boolean isComplete) {

  /** Last line of the results of a complete run. */
  static final String END = "end";

  /** What became of a test. */
  enum Status { PASSED, FAILED, SKIPPED }

  /** A test's status, and why it did not pass. */
  record Outcome(Status status, String reason) {

    String line(String test) {
      return "test\t" + oneLine(test) + "\t" + status + "\t" + oneLine(reason);
    }

    private static String oneLine(String text) {
      String line = text.replaceAll("\\s+", " ").trim();
      return line.length() > 300 ? line.substring(0, 300) : line;
    }
  }

  /** Reads a file of results; one that is missing is read as incomplete. */
  static Results read(Path file) throws IOException {
    Map<String, Outcome> tests = new TreeMap<>();
    Map<String, Long> counts = new TreeMap<>();
    boolean isComplete = false;
    try {
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.split("\t", -1);
        switch (fields[0]) {
          case "test" -> tests.put(fields[1], new Outcome(Status.valueOf(fields[2]), fields[3]));
          case "count" -> counts.put(fields[1], Long.valueOf(fields[2]));
          case END -> isComplete = true;
          default -> throw new IOException(file + ": not a line of results: " + line);
        }
      }
    } catch (NoSuchFileException e) {
      // Not run yet.
    }
    return new Results(tests, counts, isComplete);
  }

  long count(String metric) {
    return counts.getOrDefault(metric, 0L);
  }

  long tests(Status status) {
    return tests.values().stream().filter(outcome -> outcome.status() == status).count();
  }
}
