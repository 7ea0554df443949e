/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdReport;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.testing.RootCommand;
import org.apache.hadoop.fs.FileUtil;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestDirectoryCheck {

  private static final long CAPACITY = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;

  @Before
  public void makeRoot() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
  }

  private static void check(Path directory, URI... data) throws IOException {
    DirectoryCheck.check(TestingSsd.config(CAPACITY, directory).outside(List.of(data)));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void assertRefused(Path directory, String allowed, URI... data) {
    assertRefused(CAPACITY, directory, allowed, data);
  }

  private static void assertRefused(long capacity, Path directory, String allowed, URI... data) {
    BadConfigurationException e = assertThrows(BadConfigurationException.class,
        () -> DirectoryCheck.check(
            TestingSsd.config(capacity, directory).outside(List.of(data))));
    String message = e.getMessage();
    assertTrue(message,
        message.startsWith("dfs.datanode.local.cache.directories = " + directory + ": must "));
    assertTrue(message, message.contains(allowed));
    assertEquals(message, 1, message.lines().count());
  }

  /** Nothing that an SSD's state can cause stops the DataNode's start. */
  private static void assertNotYet(Path directory, boolean requireMount, String why)
      throws IOException {
    check(directory);
    IOException e = assertThrows(IOException.class,
        () -> DirectoryCheck.prepare(directory, requireMount));
    assertFalse(e.toString(), e instanceof UnusableDirectoryException);
    assertTrue(e.getMessage(), e.getMessage().contains(why));
    assertEquals(e.getMessage(), 1, e.getMessage().lines().count());
  }

  @Test
  public void check_parentMissing_isNamedAndNothingIsMade() throws IOException {
    Path parent = root.resolve("ssd0");
    assertNotYet(parent.resolve("pages"), false, "directory is missing: " + parent);
    assertNotYet(parent.resolve("more/pages"), false, "directory is missing: " + parent);
    assertFalse(Files.exists(parent));
  }

  @Test
  public void prepare_onTheRootFileSystem_isNotMountedAndNothingIsMade() throws IOException {
    Path parent = onRootFileSystem();
    try {
      IOException e = assertThrows(IOException.class,
          () -> DirectoryCheck.prepare(parent.resolve("pages"), true));
      assertTrue(e.getMessage(), e.getMessage().startsWith("not mounted: " + parent));
      assertTrue(e.getMessage(), e.getMessage().contains(" is on the file system of /; mount "));
      assertTrue(e.getMessage(),
          e.getMessage().contains("dfs.datanode.local.cache.require.mount"));
      assertThrows(IOException.class, () -> DirectoryCheck.prepare(parent, true));
      assertFalse(Files.exists(parent.resolve("pages")));
      DirectoryCheck.prepare(parent.resolve("pages"), false);
      Files.delete(parent.resolve("pages"));
    } finally {
      Files.delete(parent);
    }
  }

  @Test
  public void prepare_directoryOfTheRootFileSystemMountedElsewhere_isNotMounted() throws Exception {
    Path parent = onRootFileSystem();
    try {
      Path mount = Files.createDirectory(parent.resolve("mount"));
      RootCommand.bind(Files.createDirectory(parent.resolve("disk")), mount);
      try {
        IOException e = assertThrows(IOException.class,
            () -> DirectoryCheck.prepare(mount.resolve("pages"), true));
        assertTrue(e.getMessage(), e.getMessage().startsWith("not mounted: " + mount));
      } finally {
        RootCommand.unmount(mount);
      }
    } finally {
      FileUtil.fullyDelete(parent.toFile());
    }
  }

  private static Path onRootFileSystem() throws IOException {
    for (String name : new String[] {"/var/tmp", "/tmp", System.getProperty("user.home")}) {
      Path directory = Path.of(name);
      if (Files.isWritable(directory)
          && MountPoint.of(directory).path().equals(Path.of("/"))) {
        return Files.createTempDirectory(directory, "mount").toRealPath();
      }
    }
    Assume.assumeTrue("nothing on the root file system can be written", false);
    return null;
  }

  @Test
  public void check_missingDirectory_createsItForItsOwnerOnly() throws IOException {
    Path directory = root.resolve("new");
    check(directory);
    assertEquals("rwx------", mode(directory));
  }

  @Test
  public void check_directoryThatAllMayRead_isNarrowed() throws IOException {
    Path directory = Files.createDirectory(root.resolve("open"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    check(directory);
    assertEquals("rwx------", mode(directory));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(directory.resolve("in_use.lock")), left.toList());
    }
  }

  @Test
  public void check_link_isRefused() throws IOException {
    Path target = Files.createDirectory(root.resolve("target"));
    assertRefused(Files.createSymbolicLink(root.resolve("link"), target), "not a link");
    assertRefused(Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nowhere")),
        "not a link");
    assertFalse(Files.exists(root.resolve("nowhere")));
  }

  @Test
  public void check_directoryThatNobodyMayChange_isDown() throws IOException {
    assertNotYet(Path.of("/proc/sys"), true, "must be writable by the DataNode's user");
    assertNotYet(Path.of("/proc/new"), true, missing(Path.of("/proc/new")));
  }

  private static String missing(Path directory) {
    return "directory is missing: " + directory + ", and the DataNode's user "
        + System.getProperty("user.name") + " cannot make it: ";
  }

  private static List<String> faults(Path directory) throws IOException {
    return faults(directory, System.getProperty("user.name"));
  }

  private static List<String> faults(Path directory, String user) throws IOException {
    DirectoryCheck.Found found =
        DirectoryCheck.find(TestingSsd.config(CAPACITY, directory), user);
    assertEquals(Map.of(), found.absent());
    return found.faults();
  }

  /** Root may enter every directory, so it looks for another user. */
  @Test
  public void faults_directoryAboveThatTheUserMayNotEnter_isNamed() throws IOException {
    String user = System.getProperty("user.name");
    boolean isRoot = user.equals("root");
    if (isRoot) {
      user = "nobody";
      for (Path above = root; above != null; above = above.getParent()) {
        if (above.equals(root)) {
          Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Assume.assumeTrue("nobody cannot reach " + above,
            Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE));
      }
    }
    Path closed = Files.createDirectory(root.resolve("closed"));
    Path directory = Files.createDirectories(closed.resolve("ssd/pages"));
    if (isRoot) {
      Files.setOwner(directory, directory.getFileSystem().getUserPrincipalLookupService()
          .lookupPrincipalByName(user));
    }
    Files.setPosixFilePermissions(
        closed, PosixFilePermissions.fromString(isRoot ? "rwx------" : "rw-------"));
    try {
      for (Path each : List.of(directory, closed.resolve("ssd"))) {
        assertEquals(List.of(each + " takes no page: the DataNode's user " + user
            + " cannot enter " + closed + ": Permission denied"), faults(each, user));
      }
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** Such as ext4 after an error: neither permissions nor mount options show it. */
  @Test
  public void faults_fileSystemThatTakesNoFile_areFoundByAnAttempt() throws IOException {
    Path mount = Files.createDirectory(root.resolve("mount"));
    RootCommand.mountWithoutInodes(mount);
    try {
      for (Path directory : List.of(mount, mount.resolve("new"))) {
        List<String> faults = faults(directory);
        assertEquals(faults.toString(), 1, faults.size());
        String why = directory.equals(mount) ? "it must be writable by the DataNode's user "
            + System.getProperty("user.name") : missing(directory);
        assertTrue(faults.toString(),
            faults.get(0).startsWith(directory + " takes no page: " + why));
        assertTrue(faults.toString(), faults.get(0).endsWith(": No space left on device"));
        assertNotYet(directory, false, why);
      }
    } finally {
      RootCommand.unmount(mount);
    }
  }

  @Test
  public void faults_directoryOfThisUser_leaveNothingBehind() throws IOException {
    Path directory = Files.createDirectory(root.resolve("mine"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertEquals(List.of(), faults(directory));
    assertEquals(List.of(), faults(root.resolve("new")));
    assertEquals("rwxr-xr-x", mode(directory));
    try (Stream<Path> all = Files.walk(root)) {
      assertEquals(List.of(root, directory), all.toList());
    }
  }

  /** It is retried again and again, and each new reason is a line in the log. */
  @Test
  public void prepare_sameTroubleAgain_isTheSameReason() {
    Path directory = Path.of("/proc/sys");
    assertEquals(
        assertThrows(IOException.class, () -> DirectoryCheck.prepare(directory, true)).getMessage(),
        assertThrows(IOException.class, () -> DirectoryCheck.prepare(directory, true)).getMessage());
  }

  @Test
  public void check_insideOrAroundADataDirectory_isRefused() throws IOException {
    String why = "must be neither inside nor around";
    Path data = Files.createDirectories(root.resolve("disk1/data"));
    assertRefused(data, why, data.toUri());
    assertRefused(data.resolve("ssd"), "dfs.datanode.data.dir (" + data + ")", data.toUri());
    assertRefused(root.resolve("disk1"), why, data.toUri());
    assertRefused(root.resolve("disk1"), "(" + root.resolve("disk1/later") + ")",
        root.resolve("disk1/later").toUri());
    Path link = Files.createSymbolicLink(root.resolve("link"), data);
    assertRefused(data.resolve("ssd"), why, link.toUri());
    // A mount point whose name only begins like it is another one.
    check(root.resolve("disk10"), data.toUri(), URI.create("/disk1"));
  }

  private static Map<Path, String> down(long capacity, Path... directories) throws IOException {
    LocalCacheConfig config = TestingSsd.config(capacity, directories);
    DirectoryCheck.check(config);
    try (SsdDirectories opened = TestingSsd.openAll(config, "dn-uuid")) {
      return opened.reports().stream().filter(ssd -> ssd.state() == SsdState.DOWN)
          .collect(Collectors.toMap(SsdReport::directory, SsdReport::reason));
    }
  }

  @Test
  public void open_capacityLargerThanFreeSpace_isDown() throws IOException {
    String reason = down(1L << 60, root.resolve("ssd")).get(root.resolve("ssd"));
    assertTrue(reason, reason.contains("dfs.datanode.local.cache.capacity = 1 EB: must fit on "
        + "the disk of " + root.resolve("ssd") + ": with dfs.datanode.local.cache.reserved = 1 MB,"));
  }

  @Test
  public void open_directoriesThatTogetherExceedTheDisk_oneIsDown() throws IOException {
    Path[] three = {root.resolve("a"), root.resolve("b"), root.resolve("c")};
    long third = root.toFile().getTotalSpace() / 5 * 2;
    // As after a restart, when the free space says nothing.
    for (Path directory : three) {
      Files.createDirectories(directory.resolve("dn-uuid").resolve(PagePaths.LAYOUT));
    }
    assertEquals(Map.of(), down(third, three[0], three[1]));
    Map<Path, String> down = down(third, three);
    assertEquals(down.toString(), 1, down.size());
    assertTrue(down.toString(), down.toString().contains("B exist"));
  }

  @Test
  public void check_belowADirectoryThatEverybodyMayChange_isRefused() throws IOException {
    Path open = Files.createDirectory(root.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRefused(open.resolve("ssd"), "must not be below a directory that every user can write to ("
        + open + " has mode 777)");
    assertFalse("nothing is made", Files.exists(open.resolve("ssd")));
    Files.setAttribute(open, "unix:mode", 01777);
    check(open.resolve("ssd"));
  }

  @Test
  public void check_directoryOfAnotherUser_isRefused() throws IOException {
    Assume.assumeTrue("only root can give directories away",
        System.getProperty("user.name").equals("root"));
    Path foreign = Files.createDirectory(root.resolve("foreign"));
    Files.setOwner(foreign, foreign.getFileSystem().getUserPrincipalLookupService()
        .lookupPrincipalByName("nobody"));
    assertRefused(foreign,
        "must belong to the DataNode's user root, but belongs to nobody");
  }
}
