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

import io.hdfslocalcache.plugin.health.HealthLimits;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.testing.RootCommand;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An SSD whose directory, or whose file system, goes away. */
public class TestSsdPresence {

  private static final int PAGE = 4096;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final HealthLimits limits = new HealthLimits(1000, 1000);
  private final SsdHealth health =
      new SsdHealth(limits, () -> 0, () -> 0, (before, now, reason) -> { });

  private interface Away {
    void go() throws IOException;
  }

  private void assertDown(Path pages, Away away, String why) throws IOException {
    SsdHome home = SsdHome.enter(pages, "dn", PAGE, true);
    try (SsdIo io = new SsdIo("ssd", 1, limits, health)) {
      SsdPresence presence = new SsdPresence(home, io, () -> { });
      assertTrue(presence.check());
      away.go();
      assertFalse(presence.check());
      assertEquals(why, health.reason());
      assertEquals(why, assertThrows(IOException.class, presence::goOn).getMessage());
      assertEquals("a probe says the same", why, health.reason());
    } finally {
      home.close();
    }
  }

  /** That is what {@code ssd replace} says, too. */
  @Test
  public void check_directoryOnAnUnmountedFileSystem_isNotMounted() throws Exception {
    Path mount = folder.newFolder("mount").toPath().toRealPath();
    Path above = MountPoint.of(mount).path();
    RootCommand.mount(mount);
    try {
      Path pages = Files.createDirectory(mount.resolve("pages"));
      assertDown(pages, () -> assertTrue(RootCommand.unmount(mount)), "not mounted: " + pages
          + " was on the file system of " + mount + ", and is now on that of " + above);
    } finally {
      RootCommand.unmount(mount);
    }
  }

  @Test
  public void check_directoryIsRenamed_isMissing() throws Exception {
    Path pages = folder.newFolder("pages").toPath();
    assertDown(pages, () -> Files.move(pages, pages.resolveSibling("away")),
        "directory is missing: " + pages);
  }
}
