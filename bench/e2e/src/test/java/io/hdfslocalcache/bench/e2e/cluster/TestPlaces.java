/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestPlaces {

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  @Test
  public void blockFiles_areTheSame_theRestIsCopied_withoutTheLock() throws IOException {
    Path from = directory.getRoot().toPath().resolve("from");
    Path to = directory.getRoot().toPath().resolve("to");
    Files.createDirectories(from.resolve("current/finalized"));
    Files.writeString(from.resolve("current/finalized/blk_1"), "data");
    Files.writeString(from.resolve("current/finalized/blk_1_1001.meta"), "sums");
    Files.writeString(from.resolve("current/VERSION"), "uuid");
    Files.writeString(from.resolve("in_use.lock"), "123");

    Places.share(from, to);

    for (String block : new String[] {"blk_1", "blk_1_1001.meta"}) {
      assertEquals(inode(from.resolve("current/finalized").resolve(block)),
          inode(to.resolve("current/finalized").resolve(block)));
    }
    assertEquals("uuid", Files.readString(to.resolve("current/VERSION")));
    assertNotEquals(inode(from.resolve("current/VERSION")), inode(to.resolve("current/VERSION")));
    assertFalse(Files.exists(to.resolve("in_use.lock")));
  }

  private static Object inode(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }
}
