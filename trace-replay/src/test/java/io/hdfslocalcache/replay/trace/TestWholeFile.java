/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Files that are there as a whole or not at all. */
public class TestWholeFile {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void write_nameEndsInGz_isCompressed() throws Exception {
    Path file = folder.getRoot().toPath().resolve("a.gz");
    WholeFile.write(file, out -> out.write("hello".getBytes()));
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      assertEquals("hello", new String(in.readAllBytes()));
    }
  }

  @Test
  public void write_failure_leavesTheOldFileAndNothingElse() throws Exception {
    Path file = Files.writeString(folder.getRoot().toPath().resolve("a"), "old");
    assertThrows(IOException.class, () -> WholeFile.write(file, out -> {
      out.write(new byte[100_000]);
      throw new IOException("full");
    }));
    assertEquals("old", Files.readString(file));
    assertArrayEquals(new String[] {"a"}, folder.getRoot().list());
  }

  @Test
  public void write_noDirectoryOrADirectory_areErrors() {
    Path root = folder.getRoot().toPath();
    assertEquals(root.resolve("no") + ": no such directory", assertThrows(TraceException.class,
        () -> WholeFile.write(root.resolve("no/a"), out -> { })).getMessage());
    assertEquals(root + ": is a directory", assertThrows(TraceException.class,
        () -> WholeFile.write(root, out -> { })).getMessage());
  }
}
