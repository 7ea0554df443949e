/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Numbers on several SSDs, of which any may be new, gone or damaged. */
public class TestStateFiles {
  private static final Map<String, Long> OLD = Map.of("Balance", -5L, "Credit", 7L);
  private static final long PATIENCE_MILLIS = 60_000;
  private static final Map<String, Long> NEW = Map.of("Balance", 9L, "Credit", 7L);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path first;
  private Path second;
  private StateFiles files;

  @Before
  public void setUp() throws IOException {
    first = folder.newFolder().toPath().resolve("state");
    second = folder.newFolder().toPath().resolve("state");
    files = new StateFiles(List.of(first, second), PATIENCE_MILLIS);
  }

  @Test
  public void nothingSaved_isEmpty() throws IOException {
    assertEquals(Map.of(), files.load());
  }

  @Test
  public void saved_isLoaded_byAnother_withoutLeftovers() throws IOException {
    files.save(OLD);
    files.save(NEW);
    assertEquals(NEW, reopened().load());
    try (var left = Files.list(first.getParent())) {
      assertEquals(List.of(first), left.toList());
    }
  }

  /** Whatever the umask, from their first moment on: somebody looks all the time. */
  @Test
  public void saved_filesAreThere_onlyTheUserMayOpenThem() throws Exception {
    Path temporary = first.resolveSibling("state.tmp");
    Files.writeString(temporary, "left over, for all to read");
    Files.writeString(first, "of an earlier version, for all to read");
    assertNotEquals("rw-------", mode(temporary));
    files.save(OLD);
    assertEquals("rw-------", mode(first));
    Set<String> seen = ConcurrentHashMap.newKeySet();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger looks = new AtomicInteger();
    Thread looking = new Thread(() -> {
      while (!stop.get()) {
        try {
          seen.add(mode(temporary));
          looks.incrementAndGet();
        } catch (IOException e) {
          // Not there at present.
        }
      }
    });
    looking.start();
    try {
      while (looks.get() < 100 && looking.isAlive()) {
        files.save(NEW);
      }
    } finally {
      stop.set(true);
      looking.join();
    }
    assertEquals(Set.of("rw-------"), seen);
    assertEquals("rw-------", mode(second));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  public void ssdReplaced_theOtherKnows() throws IOException {
    files.save(NEW);
    Files.delete(first);
    assertEquals(NEW, reopened().load());
  }

  @Test
  public void ssdBackAfterATime_theNewerCounts() throws IOException {
    files.save(OLD);
    byte[] stale = Files.readAllBytes(first);
    StateFiles later = reopened();
    later.load();
    later.save(NEW);
    Files.write(first, stale);
    assertEquals(NEW, reopened().load());
  }

  @Test
  public void oneDamaged_theOtherCounts_bothDamaged_isAnError() throws IOException {
    files.save(NEW);
    Files.writeString(first, Files.readString(first).replace("Balance=9", "Balance=8"));
    assertEquals(NEW, reopened().load());
    for (String damage : new String[] {"", "x", "Sequence=1\n", "\u00e4=1\n", "=\n"}) {
      Files.writeString(first, damage);
      Files.writeString(second, damage);
      String message =
          assertThrows(IOException.class, () -> reopened().load()).getMessage();
      assertTrue(message, message.endsWith("state is damaged"));
    }
  }

  @Test
  public void oneSsdFails_savedOnTheOther_bothFail_isAnError() throws IOException {
    Files.delete(first.getParent());
    files.save(NEW);
    assertFalse(Files.exists(first));
    assertEquals(NEW, reopened().load());
    Files.delete(second);
    Files.delete(second.getParent());
    assertThrows(IOException.class, () -> files.save(NEW));
  }

  private StateFiles reopened() {
    return new StateFiles(List.of(first, second), PATIENCE_MILLIS);
  }
}
