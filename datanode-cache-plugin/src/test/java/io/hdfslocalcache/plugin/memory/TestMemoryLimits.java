/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.hdfslocalcache.plugin.memory.MemoryLimits.Machine;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

public class TestMemoryLimits {

  private static final long GB = 1L << 30;
  private static final int PAGE = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final LogCapturer log =
      LogCapturer.captureLogs(LoggerFactory.getLogger(MemoryLimits.class));
  private Path directory;
  private String fileSystem = "tmpfs";
  private long free = 100 * GB;
  private long memory = 100 * GB;
  private long heap = 4 * GB;
  private long files = 1 << 20;

  @Before
  public void findDirectory() {
    directory = folder.getRoot().toPath();
  }

  @After
  public void stopCapturing() {
    log.stopCapturing();
  }

  private MemoryLimits limits(long wanted) {
    return MemoryLimits.of(directory, wanted, PAGE,
        new Machine(fileSystem, free, memory, heap, files));
  }

  private void assertLimits(long wanted, long bytes, String... reasons) {
    log.clearOutput();
    MemoryLimits limits = limits(wanted);
    assertEquals(bytes, limits.bytes());
    assertEquals(directory, limits.directory());
    assertEquals(reasons.length == 0 ? 0 : 1, log.getOutput().lines().count());
    for (String reason : reasons) {
      assertTrue(log.getOutput(), log.getOutput().contains(reason));
    }
  }

  @Test
  public void of_roomForAll_isAsWanted() {
    assertLimits(GB, GB);
    assertEquals("half of the open files", 1 << 19, limits(GB).files());
    fileSystem = "ramfs";
    assertLimits(GB, GB);
  }

  @Test
  public void of_smallTmpfs_isItsFreeSpace() {
    free = 64 << 20;
    assertLimits(GB, 64 << 20, "limited to 64 MB instead of 1 GB",
        "free space of " + directory + " is 64 MB");
  }

  @Test
  public void of_littleMemory_isHalfOfWhatTheHeapLeaves() {
    memory = 5 * GB;
    assertLimits(GB, GB / 2, "half of the off-heap memory");
    heap = 6 * GB;
    assertLimits(GB, 0, "limited to 0 B instead");
  }

  @Test
  public void of_fewOpenFiles_isAPageForEverySecond() {
    files = 1024;
    assertLimits(GB, 512L * PAGE, "one page per two open files allowed");
  }

  @Test
  public void of_severalLimits_isTheLeastOfThem() {
    free = 900 << 20;
    memory = 4 * GB + (1200 << 20);
    files = 400;
    assertLimits(GB, 200L * PAGE, "free space", "off-heap memory", "two open files");
  }

  @Test
  public void of_noTmpfs_isOff() {
    fileSystem = "ext4";
    assertLimits(GB, 0, "memory tier is off: " + directory + " is not in a tmpfs");
  }

  @Test
  public void of_notWritable_isOff() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse("root may write everywhere", Files.isWritable(directory));
    assertLimits(GB, 0, "memory tier is off: " + directory + " is not writable");
  }

  @Test
  public void of_thisMachine_missingDirectoryIsOffWithOneLine() {
    Path missing = directory.resolve("missing");
    assertEquals(0, MemoryLimits.of(missing, GB, PAGE).bytes());
    assertEquals(1, log.getOutput().lines().count());
    assertTrue(log.getOutput(), log.getOutput().contains("cannot use " + missing));
  }

  @Test
  public void of_nothingWanted_isOffWithoutALine() {
    assertEquals(0, MemoryLimits.of(directory.resolve("missing"), 0, PAGE).bytes());
    assertEquals("", log.getOutput());
  }
}
