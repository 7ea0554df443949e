/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.harness.Run;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Skipped where loop devices are not possible. */
public class TestLoopDisk {

  private static final int MB = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void inMemory_takesAllOfItAtOnce_andIsTakenAway() throws Exception {
    assumeTrue("needs root and loop devices", "root".equals(System.getProperty("user.name"))
        && Files.exists(Path.of("/dev/loop-control")) && Run.tryTo("mkfs.ext4", "-V"));
    Path directory;
    try (Undo undo = new Undo(folder.getRoot().toPath().resolve("undo"))) {
      LoopDisk disk = LoopDisk.inMemory(32 * MB, undo);
      directory = disk.mount().getParent();
      Files.write(disk.mount().resolve("file"), new byte[MB]);
      disk.sync();
      long blocks =
          Long.parseLong(Run.output("stat", "-c", "%b", directory + "/disk.img"));
      assertTrue(blocks + " blocks of 512 bytes", blocks * 512 >= 32 * MB);
      assertTrue(Run.output("losetup", "-a").contains(directory.toString()));
    }
    assertFalse(Files.exists(directory));
    assertFalse(Run.output("losetup", "-a").contains(directory.toString()));
  }
}
