/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestSsdProbe {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void run_directoryWorks_leavesNothing() throws IOException {
    Path directory = folder.newFolder().toPath();
    SsdProbe probe = new SsdProbe(directory);
    probe.run(System::nanoTime, 1);
    probe.run(System::nanoTime, 1);
    assertEquals(0, Files.list(directory).count());
  }

  @Test
  public void run_leftoverOfAProbeThatDied_isReplaced() throws IOException {
    Path directory = folder.newFolder().toPath();
    Files.writeString(directory.resolve("probe"), "half");
    new SsdProbe(directory).run(System::nanoTime, 1);
    assertEquals(0, Files.list(directory).count());
  }

  /** Whatever the umask, and from its creation on: the test looks all the time. */
  @Test
  public void run_fileIsThere_onlyTheUserMayOpenIt() throws Exception {
    Path directory = folder.newFolder().toPath();
    SsdProbe probe = new SsdProbe(directory);
    Files.writeString(directory.resolve("probe"), "left over, for all to read");
    assertNotEquals("rw-------", mode(directory.resolve("probe")));
    probe.run(System::nanoTime, 1);
    Set<String> seen = ConcurrentHashMap.newKeySet();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger looks = new AtomicInteger();
    Thread looking = new Thread(() -> {
      while (!stop.get()) {
        try {
          seen.add(mode(directory.resolve("probe")));
          looks.incrementAndGet();
        } catch (IOException e) {
          // Not there at present.
        }
      }
    });
    looking.start();
    try {
      while (looks.get() < 100 && looking.isAlive()) {
        probe.run(System::nanoTime, 1);
      }
    } finally {
      stop.set(true);
      looking.join();
    }
    assertEquals(Set.of("rw-------"), seen);
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /** On a host whose CPUs are busy, a sound SSD stayed down. */
  @Test
  public void run_oneReadWaitsForACpu_theShortestCounts() throws IOException {
    assertEquals(2, probed(100, 40, 2, 30));
  }

  @Test
  public void run_ssdIsSlow_isReadOnce() throws IOException {
    assertEquals(300, probed(100, 300, 1));
  }

  /** @return what a probe tells whose reads take so long, the last of them again and again. */
  private long probed(int readsNanos, int... nanos) throws IOException {
    AtomicInteger reads = new AtomicInteger();
    AtomicLong now = new AtomicLong();
    // Asked when a read begins, and when it ends.
    AtomicBoolean isReading = new AtomicBoolean();
    return new SsdProbe(folder.newFolder().toPath()).run(() -> {
      boolean isEnd = isReading.getAndSet(!isReading.get());
      return isEnd ? now.addAndGet(nanos[Math.min(reads.getAndIncrement(), nanos.length - 1)])
          : now.get();
    }, readsNanos);
  }

  @Test
  public void run_directoryGone_fails() {
    SsdProbe probe = new SsdProbe(folder.getRoot().toPath().resolve("gone"));
    assertThrows(IOException.class, () -> probe.run(System::nanoTime, 1));
  }
}
