/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.harness.Wait;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A real guest; skipped where bench/guest/install-tools was not run. */
public class TestGuest {

  private static final Path TOOLS = Path.of("target/guest").toAbsolutePath();
  private static final int MB = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder(
      Files.isDirectory(Path.of("/dev/shm")) ? Path.of("/dev/shm").toFile() : null);

  private Path directory;

  @Before
  public void makeHdd() throws IOException {
    assumeTrue("only where its tools are", Files.exists(TOOLS.resolve("complete")));
    directory = folder.getRoot().toPath();
    try (Guest made = new Guest(TOOLS, directory, Guest.NEW_HDD, null)) {
      Files.write(made.hdd().resolve("file"), new byte[8 * MB]);
    }
    assertNothingLeft();
  }

  private void assertNothingLeft() throws IOException {
    String self = directory.toString();
    assertFalse("mounted", Files.readString(Path.of("/proc/mounts")).contains(self));
    assertFalse("loop device", Run.output("losetup", "-a").contains(self));
    for (String line : Files.readAllLines(directory.resolve("log"))) {
      assertFalse(line, line.startsWith("network ")
          && Files.exists(Path.of("/sys/class/net", line.substring("network ".length()))));
    }
    assertTrue("processes", ProcessHandle.allProcesses().noneMatch(process ->
        process.info().commandLine().orElse("").contains(self)));
  }

  @Test
  public void cache_takesWhatIsReadFromTheHdd_andAllIsTakenAway() throws IOException {
    for (String cache : List.of("lvmcache-64k", "bcache")) {
      try (Guest guest = new Guest(TOOLS, directory, cache, null)) {
        guest.attachCache();
        PeerDisks.Counters before = guest.counters();
        for (int i = 0; i < 20; i++) {
          Run.output("dd", "if=" + guest.hdd().resolve("file"), "of=/dev/null", "bs=64K",
              "iflag=direct", "status=none");
        }
        PeerDisks.Counters did = guest.counters().since(before);

        assertTrue(cache + ": " + did, did.hdd().bytesRead() >= 8 * MB);
        assertTrue(cache + ": " + did, did.ssd().bytesWritten() >= MB);
        assertTrue(cache + ": " + did, did.ssd().bytesRead() >= MB);
        assertFalse(guest.state().isEmpty());
      }
      assertNothingLeft();
    }
  }

  @Test
  public void limit_holdsDownWhatIsReadAndWritten() throws IOException {
    try (Guest guest = new Guest(TOOLS, directory, PeerDisks.NO_CACHE, null)) {
      guest.limit(20, 160_000_000);
      long begin = System.nanoTime();
      Run.output("dd", "if=" + guest.hdd().resolve("file"), "of=/dev/null", "bs=64K",
          "iflag=direct", "status=none");
      Duration took = Duration.ofNanos(System.nanoTime() - begin);

      // 128 reads: never faster, whatever else the machine does.
      assertTrue("took only " + took, took.toSeconds() >= 5);
      guest.limit(0, 0);
    }
    assertNothingLeft();
  }

  @Test
  public void ownerKilled_leavesNothing() throws IOException {
    Process owner = new ProcessBuilder("sh", "-c", "(echo counters; sleep 1000) | '"
        + Path.of("../guest/disks").toAbsolutePath() + "' '" + TOOLS + "' '" + directory
        + "' 300 none > '" + directory.resolve("out") + "'").start();
    assertTrue(Wait.until(() -> Files.exists(directory.resolve("out"))
        && Files.readAllLines(directory.resolve("out")).size() == 2, Duration.ofMinutes(2), 100));

    owner.descendants().filter(process -> process.info().commandLine().orElse("")
        .contains("sleep 1000")).forEach(ProcessHandle::destroyForcibly);

    assertTrue(Wait.until(() -> !owner.isAlive(), Duration.ofMinutes(2), 100));
    assertEquals("without an error", 0, owner.exitValue());
    assertNothingLeft();
  }

  @Test
  public void guestKilled_isSaid_andLeavesNothing() throws IOException {
    Guest guest = new Guest(TOOLS, directory, PeerDisks.NO_CACHE, null);
    try (guest) {
      Files.write(guest.hdd().resolve("not-on-the-disk-yet"), new byte[MB]);
      ProcessHandle.allProcesses().filter(process -> process.info().commandLine().orElse("")
          .contains("ubda=" + directory)).forEach(ProcessHandle::destroyForcibly);

      assertThrows(IOException.class, guest::counters);
    }
    assertNothingLeft();
  }
}
