/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
    probe.run();
    probe.run();
    assertEquals(0, Files.list(directory).count());
  }

  @Test
  public void run_leftoverOfAProbeThatDied_isReplaced() throws IOException {
    Path directory = folder.newFolder().toPath();
    Files.writeString(directory.resolve("probe"), "half");
    new SsdProbe(directory).run();
    assertEquals(0, Files.list(directory).count());
  }

  @Test
  public void run_directoryGone_fails() {
    SsdProbe probe = new SsdProbe(folder.getRoot().toPath().resolve("gone"));
    assertThrows(IOException.class, probe::run);
  }
}
