/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** How commands and their output are found in a document, and compared. */
public final class TestRunnableDocument {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void steps_indentedBlocks_areCommandsAndTheirOutput() throws Exception {
    Path file = folder.newFile().toPath();
    Files.writeString(file, """
        Words, and `code`:

            $ first
            one
              two
            $ second \\
            > goes on

            $ third
        """);
    List<RunnableDocument.Step> steps = new RunnableDocument(file).steps();
    assertEquals(List.of("first", "second \\\ngoes on", "third"),
        steps.stream().map(RunnableDocument.Step::command).toList());
    assertEquals(List.of("one", "  two"), steps.get(0).expected());
    assertEquals(List.of(), steps.get(1).expected());
    assertEquals(8, steps.get(2).line());
  }

  @Test
  public void matches_otherNumbersAndWidths_isTheSame() {
    assertTrue(matches(List.of("offload  33.9 %, 12 pages"), List.of("offload 100.0 %, 7 pages")));
    assertFalse(matches(List.of("12 pages"), List.of("12 blocks")));
    assertFalse(matches(List.of("12 pages"), List.of("12 pages", "more")));
    assertFalse(matches(List.of("12 pages"), List.of()));
    assertFalse(matches(List.of(), List.of("an error")));
  }

  @Test
  public void matches_dots_standForAnyLines() {
    assertTrue(matches(List.of("a", "...", "z"), List.of("a", "z")));
    assertTrue(matches(List.of("a", "...", "z"), List.of("a", "b", "c", "z")));
    assertFalse(matches(List.of("a", "...", "z"), List.of("a", "b")));
  }

  private static boolean matches(List<String> expected, List<String> actual) {
    return new RunnableDocument.Step(0, "", expected).matches(actual);
  }
}
