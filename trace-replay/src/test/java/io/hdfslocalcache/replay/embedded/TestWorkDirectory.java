/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestWorkDirectory {

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  @Test
  public void close_nothingIsLeft() throws IOException {
    Path parent = temporary.getRoot().toPath();
    WorkDirectory kept = WorkDirectory.createIn(parent, "work-");
    try (WorkDirectory work = WorkDirectory.createIn(parent, "work-")) {
      assertNotEquals(kept.path(), work.path());
      Files.writeString(Files.createDirectory(work.path().resolve("below")).resolve("file"), "x");
    }
    assertEquals("but what another one has", 1, temporary.getRoot().list().length);
    kept.close();
    assertEquals(0, temporary.getRoot().list().length);
  }

  @Test
  public void createIn_noSuchDirectory_saysWhichOne() {
    Path missing = temporary.getRoot().toPath().resolve("missing");
    IOException e =
        assertThrows(IOException.class, () -> WorkDirectory.createIn(missing, "work-"));
    assertEquals("cannot make a directory in " + missing + "; is it writable?", e.getMessage());
  }
}
