/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

public class TestMountPoint {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static final List<String> TABLE = List.of(
      "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard",
      "30 27 259:1 / /ssd/0 rw,noatime shared:2 master:1 - xfs /dev/nvme0n1 rw",
      "31 27 259:2 / /ssd/1 rw,relatime - ext4 /dev/nvme1n1 rw",
      "32 31 259:3 / /ssd/1 rw,nodev,noatime - xfs /dev/nvme2n1 rw",
      "33 27 259:4 / /ssd/with\\040blank rw - ext4 /dev/nvme3n1 rw");

  private static MountPoint of(String directory) throws IOException {
    return MountPoint.of(Path.of(directory), TABLE);
  }

  private static String toldOf(String directory) throws IOException {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(MountPoint.class));
    try {
      of(directory).tellIfAccessesAreNoted(Path.of(directory));
      return log.getOutput();
    } finally {
      log.stopCapturing();
    }
  }

  @Test
  public void of_belowAMount_isTheNearest() throws IOException {
    assertEquals(new MountPoint(Path.of("/ssd/0"), "xfs", Set.of("rw", "noatime")),
        of("/ssd/0/pages/deeper"));
    assertEquals(Path.of("/ssd/0"), of("/ssd/0").path());
    assertEquals("a name that only begins like it", Path.of("/"), of("/ssd/00").path());
  }

  @Test
  public void of_mountedOver_isTheLastOne() throws IOException {
    assertEquals("xfs", of("/ssd/1/pages").type());
  }

  /** A name of another's mount point that is no path here, or no text. */
  @Test
  public void of_anotherMountHasAStrangeName_isFound() throws IOException {
    Path table = folder.newFile().toPath();
    byte[] name = {'/', 'm', 'n', 't', '/', (byte) 0xFC, 0};
    Files.write(table, (TABLE.get(0) + "\n34 27 259:5 / ").getBytes(StandardCharsets.US_ASCII));
    Files.write(table, name, StandardOpenOption.APPEND);
    Files.write(table, (" rw - ext4 /dev/nvme4n1 rw\n" + TABLE.get(1) + "\n")
        .getBytes(StandardCharsets.US_ASCII), StandardOpenOption.APPEND);
    assertEquals(Path.of("/ssd/0"),
        MountPoint.of(Path.of("/ssd/0/pages"), MountPoint.lines(table)).path());
  }

  @Test
  public void of_blankInItsName_isFound() throws IOException {
    assertEquals(Path.of("/ssd/with blank"), of("/ssd/with blank/pages").path());
  }

  @Test
  public void planned_ofFstab_isTheNearestAbove() {
    List<String> fstab = List.of("# a comment", "", "UUID=1 / ext4 defaults 0 1",
        "UUID=2\t/ssd xfs noatime 0 2", "UUID=3 /ssd/1 xfs noatime 0 2", "UUID=4 none swap sw 0 0");
    assertEquals(Path.of("/ssd/1"), planned("/ssd/1/pages", "/", fstab));
    assertEquals(Path.of("/ssd"), planned("/ssd/10", "/", fstab));
    assertNull(planned("/data", "/", fstab));
  }

  /** To mount it once more would not help. */
  @Test
  public void planned_bindMountOfTheRootFileSystem_isNone() {
    List<String> fstab = List.of("/dev/sda1 / ext4 defaults 0 1", "/ /host none bind 0 0",
        "/var/pages /ssd none bind 0 0", "/ssd / none bind 0 0");
    assertNull(planned("/host/pages", "/", fstab));
    assertNull(planned("/ssd/pages", "/ssd", fstab));
    assertEquals("not mounted yet", Path.of("/ssd"), planned("/ssd/pages", "/", fstab));
  }

  private static Path planned(String directory, String mounted, List<String> fstab) {
    return MountPoint.planned(Path.of(directory), Path.of(mounted), fstab);
  }

  @Test
  public void of_noFileSystem_isAnError() {
    assertThrows(IOException.class, () -> MountPoint.of(Path.of("/ssd"), List.of()));
  }

  @Test
  public void of_thisMachine_isAbove() throws IOException {
    assertTrue(Path.of("/proc/self").toRealPath().startsWith(
        MountPoint.of(Path.of("/proc/self")).path()));
    assertEquals("proc", MountPoint.of(Path.of("/proc/self")).type());
  }

  @Test
  public void tellIfAccessesAreNoted_withoutNoatime_isOneLine() throws IOException {
    String told = toldOf("/ssd/00");
    assertEquals(told, 1, told.lines().count());
    assertTrue(told, told.contains("/ssd/00 is on / (ext4)"));
    assertTrue(told, told.contains("noatime"));
  }

  @Test
  public void tellIfAccessesAreNoted_withNoatime_isNothing() throws IOException {
    assertEquals("", toldOf("/ssd/0"));
  }
}
