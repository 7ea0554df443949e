/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestResultsTable {

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  private Path results;

  @Before
  public void setUp() {
    results = directory.getRoot().toPath();
  }

  private void write(String mode, String exit, String... lines) throws IOException {
    Path folder = Files.createDirectories(results.resolve(mode));
    Files.writeString(folder.resolve("a.TestB.exit"), exit + "\n");
    Files.write(folder.resolve("a.TestB.tsv"), List.of(lines));
  }

  private String table(Map<String, String> notes) throws IOException {
    ResultsTable table = new ResultsTable(results, notes);
    table.row("a.TestB");
    return table.markdown();
  }

  @Test
  public void allModes_rowHasResultsAndCounts() throws IOException {
    for (String mode : ResultsTable.MODES) {
      write(mode, "0", "test\t[method:one()]\tPASSED\t", "test\t[method:two()]\tSKIPPED\tno disk",
          "count\tReadsHit\t7", "count\tReadsMissAdmitted\t2", "end");
    }
    String table = table(Map.of());
    assertTrue(table, table.contains(
        "| TestB | 2 | 1, 1 skipped | 1, 1 skipped | 1, 1 skipped | 7 | 0 | 2 |\n"));
    assertTrue(table, table.contains("| **all** | 2 | 1 | 1 | 1 | 7 | 0 | 2 |\n"));
    assertTrue(table, table.contains(
        "| TestB.two | skipped | skipped | skipped | - | no disk |\n"));
    assertFalse(table, table.contains("TestB.one"));
  }

  @Test
  public void failedInOneMode_listedWithStatusOfAllAndNote() throws IOException {
    String failed = new Results.Outcome(Results.Status.FAILED, "Error: a | b\n at c")
        .line("[test-template:one(int)]/[test-template-invocation:#2]");
    write("stock", "0", failed.replace("FAILED", "PASSED"), "end");
    write("cached", "1", failed, "end");
    write("shipped", "0", failed.replace("FAILED", "PASSED"), "end");
    assertTrue(table(Map.of()), table(Map.of()).contains(
        "| TestB.one[2] | passed | - | failed | passed | Error: a \\| b at c |\n"));
    assertTrue(table(Map.of("TestB.one[2]", "known")).contains("| passed | known |\n"));
    assertTrue(table(Map.of()), table(Map.of()).contains(
        "| TestB | 1 | 1 | not run | 0, **1 failed** | 0 | 0 | 0 |\n"));
  }

  @Test
  public void noteOfClass_testsWithTheSameStatusesAreOneRow() throws IOException {
    write("stock", "1", "test\t[method:one()]\tFAILED\tx", "test\t[method:two()]\tFAILED\ty",
        "test\t[method:three()]\tFAILED\tz", "end");
    String table = table(Map.of("TestB", "known", "TestB.three", "special"));
    assertTrue(table, table.contains("| TestB.three | failed | - | - | - | special |\n"
        + "| TestB, 2 tests | failed | - | - | - | known |\n"));
  }

  @Test
  public void runWithoutEnd_isNotTakenForPassed() throws IOException {
    write("stock", "124", "test\t[method:one()]\tPASSED\t");
    write("absent", "137");
    write("cached", "0", "end");
    String table = table(Map.of());
    assertTrue(table, table.contains("| TestB | 1 | timed out | ended early | 0 | 0 | 0 | 0 |\n"));
  }

  @Test
  public void lineThatIsNone_isRefused() throws IOException {
    write("stock", "0", "rubbish");
    assertThrows(IOException.class, () -> table(Map.of()));
    Path notes = Files.writeString(results.resolve("notes"), "no colon\n");
    assertThrows(IOException.class, () -> Notes.read(notes));
  }
}
