/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Test;

/** What makes the archive reproducible. {@code build-twice} compares all bytes. */
public final class TestArchive {

  @Test
  public void entries_timesOwnersAndModes_areFixed() throws Exception {
    Run tar = Run.of(Map.of("TZ", "UTC", "LC_ALL", "C.UTF-8"), List.of("tar", "--full-time",
        "--numeric-owner", "-tvzf", System.getProperty("packages") + ".tar.gz"));
    assertEquals(tar.out(), 0, tar.exit());
    List<String> lines = tar.out().lines().toList();
    assertTrue(tar.out(), lines.stream().anyMatch(line -> line.endsWith("/install.sh")));
    for (String line : lines) {
      // Mode, owner, size, day, time, name.
      String[] entry = line.split(" +", 6);
      assertEquals(line, mode(entry[0].startsWith("d"), entry[5]), entry[0]);
      assertEquals(line, "0/0", entry[1]);
      assertEquals(line, System.getProperty("timestamp"), entry[3] + "T" + entry[4] + "Z");
    }
  }

  private static String mode(boolean directory, String name) {
    if (directory) {
      return "drwxr-xr-x";
    }
    return name.matches("[^/]+/(install\\.sh|bin/.*)") ? "-rwxr-xr-x" : "-rw-r--r--";
  }
}
