/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.harness.ProcessCluster.Places;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestProcessCluster {

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  @Test
  public void share_blockFilesAreTheSame_theRestIsCopied_withoutTheLock() throws IOException {
    Path root = directory.getRoot().toPath();
    Places all = new Places(root.resolve("base"), root.resolve("data"), root, List.of());
    Path from = all.of("from").data();
    Path to = all.of("to").data();
    Files.createDirectories(all.of("from").base().resolve("name"));
    Files.createDirectories(from.resolve("current/finalized"));
    Files.writeString(from.resolve("current/finalized/blk_1"), "data");
    Files.writeString(from.resolve("current/finalized/blk_1_1001.meta"), "sums");
    Files.writeString(from.resolve("current/VERSION"), "uuid");
    Files.writeString(from.resolve("in_use.lock"), "123");

    try (ProcessCluster cluster =
        new ProcessCluster(all.of("to"), HadoopJvm.likeThis())) {
      cluster.share(all.of("from"));
    }

    for (String block : List.of("blk_1", "blk_1_1001.meta")) {
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
