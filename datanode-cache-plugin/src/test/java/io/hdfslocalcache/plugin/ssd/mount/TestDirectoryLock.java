/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestDirectoryLock {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path ssd;

  @Before
  public void makeFolder() throws IOException {
    ssd = folder.newFolder("ssd").toPath().toRealPath();
  }

  /** @return whether the kernel would refuse the lock to another process. */
  private boolean isLocked() throws IOException {
    String inode = ":" + Files.getAttribute(ssd.resolve("in_use.lock"), "unix:ino") + " ";
    try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
      return locks.anyMatch(lock -> lock.contains(inode));
    }
  }

  @Test
  public void locked_otherNamesOfTheDirectoryAreTried_staysLocked() throws IOException {
    Path link = Files.createSymbolicLink(folder.getRoot().toPath().resolve("link"), ssd);
    try (DirectoryLock lock = DirectoryLock.take(ssd, "dn")) {
      assertTrue(isLocked());
      assertThrows(UnusableDirectoryException.class,
          () -> DirectoryLock.requireOutside(link.resolve("inside")));
      assertTrue(isLocked());
      assertThrows(UnusableDirectoryException.class, () -> DirectoryLock.take(link, "dn-2"));
      assertTrue(isLocked());
    }
    assertFalse(isLocked());
    DirectoryLock.take(link, "dn-2").close();
  }

  /** Its SSD hung while it was opened, and the lock is to be had only when that has ended. */
  @Test
  public void take_lockedByAnEarlierAttempt_isToBeTriedAgain() throws IOException {
    try (DirectoryLock lock = DirectoryLock.take(ssd, "dn")) {
      IOException e = assertThrows(IOException.class, () -> DirectoryLock.take(ssd, "dn"));
      assertFalse(e.toString(), e instanceof UnusableDirectoryException);
      assertEquals("the SSD has not yet closed " + ssd.resolve("in_use.lock"), e.getMessage());
      assertTrue(isLocked());
    }
    DirectoryLock.take(ssd, "dn").close();
  }

  /** As when a file system is mounted at another place, and its former place is still tried. */
  @Test
  public void close_again_theNextOwnerKeepsIt() throws IOException {
    DirectoryLock first = DirectoryLock.take(ssd, "dn");
    first.close();
    try (DirectoryLock next = DirectoryLock.take(ssd, "dn-2")) {
      first.close();
      assertThrows(UnusableDirectoryException.class, () -> DirectoryLock.take(ssd, "dn"));
      assertTrue(isLocked());
    }
  }

  /** The SSD's own directory was used before those below it. Each is checked by its own thread. */
  @Test
  public void requireOutside_fileOfAnUnusedLockAboveTwo_bothAreFree() throws Exception {
    Files.createFile(ssd.resolve("in_use.lock"));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<Future<?>> checks = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      checks.add(threads.submit(() -> {
        for (int i = 0; i < 10_000; i++) {
          DirectoryLock.requireOutside(ssd.resolve(name));
        }
        return null;
      }));
    }
    threads.shutdown();
    for (Future<?> check : checks) {
      check.get();
    }
  }
}
