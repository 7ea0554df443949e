/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Emulated HDDs; skipped where they are not possible. */
public class TestIoGroup {

  private static final int MB = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void severalHdds_eachIsSlowForItsGroup_andAllAreTakenAway() throws Exception {
    assumeTrue("needs root, cgroups and loop devices", IoGroup.isPossible()
        && Files.exists(Path.of("/dev/loop-control")) && Run.tryTo("mkfs.ext4", "-V"));
    Path directory = folder.getRoot().toPath();
    Path memory = null;
    try (Undo undo = new Undo(directory.resolve("undo"))) {
      for (String name : List.of("one", "other")) {
        LoopDisk disk = LoopDisk.create(
            Files.createDirectory(directory.resolve(name)), 32 * MB, undo);
        IoGroup group = IoGroup.create(disk, undo);
        memory = group.limitMemory(64 * MB, undo);
        Files.write(disk.mount().resolve("file"), new byte[MB]);
        disk.sync();
        group.limit(160_000_000, 8);
        DiskStat before = group.stat();
        long begin = System.nanoTime();
        Run.output("sh", "-c", "echo $$ > " + group.processes() + " && echo $$ > " + memory
            + " && exec dd if=" + disk.mount().resolve("file")
            + " of=/dev/null bs=64K iflag=direct status=none");
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertEquals(16, group.stat().since(before).reads());
        assertEquals(MB, group.stat().since(before).bytesRead());
        assertTrue("16 reads of 8 a second took only " + took, took.toMillis() >= 1000);
        group.unlimit();
      }
    }
    assertFalse(Files.exists(memory));
    assertFalse(Run.output("losetup", "-a").contains(directory.toString()));
  }
}
