/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code install.sh} that is killed, interrupted or fails before any of the commands it runs. */
public final class TestInstallInterrupted {

  private static final int KILLED = 128 + 9;
  /** The command in which install.sh was killed would hold the lock for a moment longer. */
  private static final String KILL = "exec 9<&-; kill -9 $PPID; exit 1";
  private static final List<String> COMMANDS =
      List.of("mkdir", "cp", "ln", "chmod", "sync", "mv", "rm", "rmdir", "touch");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private SmallHost host;
  private Path count;
  private Map<String, String> untouched;

  @Before
  public void setUp() throws Exception {
    host = new SmallHost(folder.getRoot().toPath());
    untouched = Listing.of(host.home);
    count = folder.getRoot().toPath().resolve("count");
  }

  @Test
  public void install_killedAnywhere_isTakenBackByUninstall() throws Exception {
    int steps = 0;
    for (int run = KILLED; run == KILLED; steps++) {
      run = interrupted(KILL, steps, "install").exit();
      assertEquals("killed at " + steps, 0, host.installSh("uninstall").exit());
      assertEquals("killed at " + steps, untouched, Listing.of(host.home));
      assertEquals(3, host.installSh("status").exit());
    }
    assertTrue("only " + steps + " commands", steps > 10);
  }

  @Test
  public void install_killedAnywhere_isFinishedByInstall() throws Exception {
    int steps = 0;
    for (int run = KILLED; run == KILLED; steps++) {
      run = interrupted(KILL, steps, "install").exit();
      Run status = host.installSh("status");
      if (Files.exists(host.home.resolve(SmallHost.OWN + "/SHA256SUMS")) && run == KILLED) {
        assertEquals("killed at " + steps, 1, status.exit());
        assertTrue(status.out(), status.out().contains("damaged, or half installed"));
      }
      assertTrue(Files.exists(host.home.resolve(SmallHost.JAR)));
      assertTrue(Files.exists(host.home.resolve(SmallHost.PAGE)));
      Run again = host.installSh("install");
      assertEquals("killed at " + steps + ": " + again.out(), 0, again.exit());
      assertEquals(0, host.installSh("status").exit());
      assertEquals(0, host.installSh("uninstall").exit());
      assertEquals("killed at " + steps, untouched, Listing.of(host.home));
    }
  }

  @Test
  public void uninstall_killedAnywhere_isFinishedByUninstall() throws Exception {
    int steps = 0;
    for (int run = KILLED; run == KILLED; steps++) {
      assertEquals(0, host.installSh("install").exit());
      run = interrupted(KILL, steps, "uninstall").exit();
      assertTrue(Files.exists(host.home.resolve(SmallHost.JAR)));
      assertTrue(Files.exists(host.home.resolve(SmallHost.PAGE)));
      Run again = host.installSh("uninstall");
      assertEquals("killed at " + steps + ": " + again.out(), 0, again.exit());
      assertEquals("killed at " + steps, untouched, Listing.of(host.home));
    }
    assertTrue("only " + steps + " commands", steps > 5);
  }

  /** HDFS may be on another file system than the kept originals. */
  @Test
  public void uninstall_otherFileSystemIsFull_leavesAJarAndIsFinishedLater() throws Exception {
    host.standIn("ln", "exit 1\n");
    assertEquals(0, host.installSh("install").exit());
    Map<String, String> installed = Listing.of(host.home);
    // Between file systems, mv removes the file first, and copies then.
    host.standIn("mv", "[[ ${@: -2:1} != */original/* ]] || { rm -f \"${@: -1}\"; exit 1; }\n"
        + "PATH=${PATH#*:} exec mv \"$@\"\n");
    host.standIn("cp", "echo half > \"${@: -1}\"; exit 1\n");
    assertEquals(1, host.installSh("uninstall").exit());
    assertEquals(installed.get(SmallHost.JAR), Listing.of(host.home).get(SmallHost.JAR));
    SmallHost.delete(folder.getRoot().toPath().resolve("commands"));
    host.standIn("ln", "exit 1\n");
    assertEquals(0, host.installSh("uninstall").exit());
    assertEquals(untouched, Listing.of(host.home));
  }

  /** Such as on a full disk. A signal that ends the shell is the same. */
  @Test
  public void install_commandFails_saysWhatToDo() throws Exception {
    for (String command : List.of("cp", "sync", "chmod", "mv")) {
      Run run = interrupted("echo \"" + command + ": No space left on device\" >&2; exit 1", 0,
          "install", command);
      assertNotEquals(command, 0, run.exit());
      assertTrue(run.out(), run.out().contains("No space left on device"));
      assertTrue(run.out(), run.out().contains(
          "not done: install again to finish it, or uninstall to undo it"));
      assertEquals(0, host.installSh("uninstall").exit());
      assertEquals(command, untouched, Listing.of(host.home));
    }
    Run terminated = interrupted("kill -TERM $PPID; exit 143", 3, "install");
    assertTrue(terminated.out(), terminated.out().contains("not done: install again"));
    assertEquals(0, host.installSh("install").exit());
  }

  private Run interrupted(String how, int after, String action) throws Exception {
    return interrupted(how, after, action, COMMANDS.toArray(new String[0]));
  }

  /** Runs the action, and does something in place of one of the commands, once. */
  private Run interrupted(String how, int after, String action, String... commands)
      throws Exception {
    Files.writeString(count, Integer.toString(after));
    for (String command : commands) {
      host.standIn(command, "n=$(< '" + count + "'); echo $((n - 1)) > '" + count + "'\n"
          + "if [ \"$n\" = 0 ]; then " + how + "; fi\n"
          + "PATH=${PATH#*:} exec " + command + " \"$@\"\n");
    }
    try {
      return host.installSh(action);
    } finally {
      host.environment.remove("PATH");
      SmallHost.delete(folder.getRoot().toPath().resolve("commands"));
    }
  }
}
