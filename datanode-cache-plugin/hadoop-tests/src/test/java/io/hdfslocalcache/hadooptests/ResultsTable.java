/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.hdfslocalcache.hadooptests.Results.Outcome;
import io.hdfslocalcache.hadooptests.Results.Status;

/** Writes bench/results/hadoop-tests.md from the results of all classes in all modes. */
public final class ResultsTable {

  static final List<String> MODES = List.of("stock", "absent", "cached");
  /** Run only for tests that differ, and shown only with these. */
  private static final String SHIPPED = "shipped";
  private static final String NOT_RUN = "not run";

  private final Path directory;
  private final Map<String, String> notes;
  /** Heading to write before the next row, or null. */
  private String section;
  private final List<String> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final long[] totals = new long[7];

  ResultsTable(Path directory, Map<String, String> notes) {
    this.directory = directory;
    this.notes = notes;
  }

  /**
   * @param args the file with the classes, the directory with the results of each mode, the file
   *     with the notes, the file with what stands above the table, the file to write
   */
  public static void main(String[] args) throws IOException {
    ResultsTable table = new ResultsTable(Path.of(args[1]), Notes.read(Path.of(args[2])));
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      if (line.startsWith("## ")) {
        table.section(line.substring(3));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        table.row(line.trim());
      }
    }
    Files.writeString(Path.of(args[4]),
        Files.readString(Path.of(args[3])) + table.states() + table.markdown());
  }

  /** @return the builds, their machines and authors: a line for each that results may be of. */
  String states() throws IOException {
    Set<String> states = new LinkedHashSet<>(Files.readAllLines(directory.resolve("states")));
    return "## Results\n\nRun on:\n\n" + String.join("\n", states) + "\n\n";
  }

  void section(String name) {
    section = "| **" + name + "** | | | | | | | |";
  }

  void row(String testClass) throws IOException {
    List<Results> byMode = new ArrayList<>();
    List<String> cells = new ArrayList<>();
    for (String mode : MODES) {
      Results results = read(mode, testClass);
      byMode.add(results);
      cells.add(cell(results, directory.resolve(mode).resolve(testClass + ".exit")));
      totals[byMode.size()] += results.tests(Status.PASSED);
    }
    if (cells.stream().allMatch(NOT_RUN::equals)) {
      return;
    }
    if (section != null) {
      rows.add(section);
      section = null;
    }
    Results cached = byMode.get(2);
    long tests = byMode.stream().mapToLong(results -> results.tests().size()).max().orElse(0);
    totals[0] += tests;
    String simpleName = testClass.substring(testClass.lastIndexOf('.') + 1);
    rows.add("| " + simpleName + " | " + tests + " | " + String.join(" | ", cells)
        + " | " + count(cached, 4, "ReadsHit") + " | " + count(cached, 5, "ReadsPartialHit")
        + " | " + count(cached, 6, "ReadsMissAdmitted") + " |");
    failures(simpleName, byMode, read(SHIPPED, testClass));
  }

  private Results read(String mode, String testClass) throws IOException {
    return Results.read(directory.resolve(mode).resolve(testClass + ".tsv"));
  }

  private long count(Results results, int total, String metric) {
    totals[total] += results.count(metric);
    return results.count(metric);
  }

  private static String cell(Results results, Path exit) throws IOException {
    if (!results.isComplete()) {
      return !Files.exists(exit) ? NOT_RUN
          : Files.readString(exit).trim().equals("124") ? "timed out" : "ended early";
    }
    long failed = results.tests(Status.FAILED);
    long skipped = results.tests(Status.SKIPPED);
    return results.tests(Status.PASSED) + (failed > 0 ? ", **" + failed + " failed**" : "")
        + (skipped > 0 ? ", " + skipped + " skipped" : "");
  }

  /** Lists the tests that failed in some mode, and those with other results than on stock. */
  private void failures(String simpleName, List<Results> byMode, Results shipped) {
    Set<String> tests = new TreeSet<>();
    byMode.forEach(results -> results.tests().forEach((test, outcome) -> {
      if (outcome.status() != Status.PASSED) {
        tests.add(test);
      }
    }));
    Map<List<String>, Integer> alike = new LinkedHashMap<>();
    for (String test : tests) {
      List<String> statuses = new ArrayList<>(
          byMode.stream().map(results -> status(results, test)).toList());
      statuses.add(status(shipped, test));
      String name = simpleName + "." + methodOf(test);
      if (notes.containsKey(simpleName) && !notes.containsKey(name)) {
        alike.merge(statuses, 1, Integer::sum);
      } else {
        failure(name, statuses, notes.getOrDefault(name, reason(byMode, test)));
      }
    }
    alike.forEach((statuses, n) ->
        failure(simpleName + ", " + n + " tests", statuses, notes.get(simpleName)));
  }

  private void failure(String name, List<String> statuses, String reason) {
    failures.add("| " + name + " | " + String.join(" | ", statuses) + " | "
        + reason.replace("|", "\\|") + " |");
  }

  private static String status(Results results, String test) {
    Outcome outcome = results.tests().get(test);
    return outcome == null ? "-" : outcome.status().name().toLowerCase(java.util.Locale.ROOT);
  }

  private static String reason(List<Results> byMode, String test) {
    return byMode.stream().map(results -> results.tests().get(test))
        .filter(outcome -> outcome != null && outcome.status() != Status.PASSED)
        .map(Outcome::reason).findFirst().orElse("");
  }

  /** @return the method and the number of the invocation from a JUnit unique id. */
  static String methodOf(String test) {
    String method = test.replaceAll("\\[(?:method|test-template|nested-class):([^(\\]]*)[^\\]]*]",
        "$1").replaceAll("/\\[test-template-invocation:#(\\d+)]", "[$1]");
    return method.isEmpty() ? "(class)" : method;
  }

  String markdown() {
    List<String> lines = new ArrayList<>(List.of(
        "| class | tests | stock | patched, absent | cached | hits | partial hits | misses |",
        "|---|--:|---|---|---|--:|--:|--:|"));
    lines.addAll(rows);
    lines.add("| **all** | " + String.join(" | ",
        java.util.Arrays.stream(totals).mapToObj(Long::toString).toList()) + " |");
    if (!failures.isEmpty()) {
      lines.addAll(List.of("", "## Tests that failed or were skipped", "",
          "| test | stock | patched, absent | cached | as shipped | why |",
          "|---|---|---|---|---|---|"));
      lines.addAll(failures);
    }
    return String.join("\n", lines) + "\n";
  }
}
