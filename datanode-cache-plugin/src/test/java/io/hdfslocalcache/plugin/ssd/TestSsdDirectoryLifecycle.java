/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.mount.SsdHome;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

/** Opening and closing directories: locks, leftovers, several SSDs. */
public class TestSsdDirectoryLifecycle {

  private static final long CAPACITY = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;

  @Before
  public void makeFolder() throws IOException {
    root = folder.newFolder("ssd").toPath().toRealPath();
  }

  private static SsdDirectories open(String uuid, Path... paths) throws IOException {
    return TestingSsd.openAll(TestingSsd.config(CAPACITY, paths), uuid);
  }

  private void assertRefusedAsUsed(String uuid) throws IOException {
    List<Path> before = all();
    String message =
        assertThrows(BadConfigurationException.class, () -> open(uuid, root)).getMessage();
    assertTrue(message, message.contains(root + ": must be the DataNode's own, but "));
    assertTrue(message,
        message.endsWith("is locked by another DataNode: each needs a directory of its own"));
    assertEquals(message, 1, message.lines().count());
    assertEquals("the directory is as it was", before, all());
  }

  private List<Path> all() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.sorted().toList();
    }
  }

  @Test
  public void open_oldPageCannotBeDeleted_isReportedAndDeletedLater() throws Exception {
    Path trash = Files.createDirectories(root.resolve("dn-uuid/trash-1"));
    Path stuck = Files.createFile(trash.resolve("0"));
    assumeTrue("files can be made immutable here", Run.tryTo("chattr", "+i", stuck.toString()));
    TestingSsd ssd;
    try {
      ssd = TestingSsd.open(root);
      GenericTestUtils.waitFor(() -> ssd.directory().undeletedFiles() == 1, 10, 60_000);
    } finally {
      assertTrue(Run.tryTo("chattr", "-i", stuck.toString()));
    }
    ssd.directory().restored().begin((event, files) -> { });
    ssd.directory().restored().end();
    ssd.deleteAgain();
    assertEquals(0, ssd.directory().undeletedFiles());
    assertFalse(Files.exists(trash));
    ssd.close();
  }

  /** An SSD is broken, and a new one is mounted in its place. */
  @Test
  public void goneAndAnotherIsInItsPlace_wearIsCountedAnew() throws IOException {
    try (TestingSsd ssd = TestingSsd.open(root)) {
      ssd.directory().wear().setEndurance(1000);
      ssd.directory().wear().wrote(100);
      FileUtil.fullyDelete(root.toFile());
      assertFalse(ssd.directory().isThere());
      Files.createDirectory(root);
      ssd.directory().probe(System::nanoTime, 1);
      assertTrue(ssd.directory().isThere());
      assertEquals(0, ssd.directory().wear().report().writtenBytes());
      assertEquals(1000, ssd.directory().wear().report().enduranceBytes());
    }
  }

  /** Before pages are restored, their space is not given to others, whatever is free. */
  @Test
  public void checkSpace_beforePagesAreRestored_takesNoSpaceFromThem() throws IOException {
    TestingSsd first = TestingSsd.open(root);
    first.cacheAll(TestingReplica.create(folder.getRoot().toPath(), 1, 10_000));
    first.close();
    FileStore store = Files.getFileStore(root);
    long tooMuch = store.getUsableSpace() + (1L << 30);
    assumeTrue("others take space of the disk", tooMuch + CAPACITY < store.getTotalSpace());
    try (TestingSsd again = TestingSsd.open(root, Map.of(LocalCacheKeys.RESERVED,
        String.valueOf(tooMuch), LocalCacheKeys.CAPACITY, String.valueOf(CAPACITY)))) {
      again.directory().checkSpace();
      assertEquals(CAPACITY, again.directory().capacityBytes());
      again.directory().restored().begin((event, files) -> { });
      again.directory().restored().end();
      again.directory().checkSpace();
      assertEquals(0, again.directory().capacityBytes());
    }
  }

  /** As when it is drained right after a restart. */
  @Test
  public void setCapacity_beforePagesAreRestored_theyLeaveAfterwards() throws IOException {
    TestingSsd first = TestingSsd.open(root);
    first.cacheAll(TestingReplica.create(folder.getRoot().toPath(), 1, 10_000));
    long used = first.directory().usedBytes();
    first.close();
    try (TestingSsd again = TestingSsd.open(root)) {
      SsdDirectory ssd = again.directory();
      ssd.setCapacity(0);
      for (String block : ssd.restored().begin((event, files) -> { })) {
        ssd.restored().adopt(block, (event, files) -> fail(event.toString()));
      }
      assertEquals(used, ssd.usedBytes());
      ssd.restored().end();
      ssd.checkSpace();
      assertEquals(0, ssd.usedBytes());
    }
  }

  @Test
  public void open_usedByAnotherDataNode_isRefusedAndItsPagesStay() throws IOException {
    TestingSsd first = TestingSsd.open(root);
    first.cacheAll(TestingReplica.create(folder.getRoot().toPath(), 1, 10_000));
    assertRefusedAsUsed("dn-2");
    assertEquals(3, first.pageFiles().size());
    first.close();
    // As version 1.0.0 does.
    Files.delete(root.resolve("in_use.lock"));
    try (FileChannel lock = FileChannel.open(root.resolve("dn-uuid/in_use.lock"),
        StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      assertRefusedAsUsed("dn-2");
      assertEquals(3, first.pageFiles().size());
    }
  }

  /** The blocks of these pages may have been deleted since: nothing else would delete the pages. */
  @Test
  public void open_pagesOfADataNodeThatDoesNotUseThem_areDeleted() throws IOException {
    TestingSsd first = TestingSsd.open(root);
    first.cacheAll(TestingReplica.create(folder.getRoot().toPath(), 1, 10_000));
    first.close();
    Path others = Files.createDirectories(root.resolve("of-another-program/data"));
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(SsdHome.class));
    try (SsdDirectories second = open("dn-2", root)) {
      assertFalse(Files.exists(root.resolve("dn-uuid").resolve(PagePaths.LAYOUT)));
      assertEquals(1, second.all().size());
    } finally {
      log.stopCapturing();
    }
    assertTrue(log.getOutput(), log.getOutput().contains(
        root.resolve("dn-uuid") + ": unused pages of another DataNode"));
    assertTrue(Files.exists(others));
  }

  @Test
  public void open_everything_isForTheDataNodesUserOnly() throws IOException {
    TestingSsd ssd = TestingSsd.open(root);
    ssd.cacheAll(TestingReplica.create(folder.getRoot().toPath(), 1, 10_000));
    ssd.directory().restored().begin((event, files) -> { });
    ssd.close();
    Path own = root.resolve("dn-uuid");
    assertTrue(Files.exists(own.resolve("VERSION")) && Files.exists(own.resolve("order")));
    try (Stream<Path> all = Files.walk(own)) {
      for (Path path : all.toList()) {
        assertEquals(path.toString(), Files.isDirectory(path) ? "rwx------" : "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      }
    }
  }

  @Test
  public void open_ownPartIsALink_isRefusedAndNothingIsTouched() throws IOException {
    Path target = folder.newFolder("elsewhere").toPath();
    Path precious = Files.createDirectories(target.resolve(PagePaths.LAYOUT));
    Files.createSymbolicLink(root.resolve("dn-1"), target);
    IOException e = assertThrows(IOException.class, () -> open("dn-1", root));
    assertTrue(e.getMessage(), e.getMessage().contains("is a link"));
    assertTrue(Files.exists(precious));
  }

  /** A file that is written anew may be empty after a power failure: all pages would be cleared. */
  @Test
  public void open_pagesAreKept_theirFormatIsNotWrittenAnew() throws IOException {
    Path version = root.resolve("dn-uuid/VERSION");
    TestingSsd.open(root).close();
    Object written = Files.readAttributes(version, BasicFileAttributes.class).fileKey();
    TestingSsd.open(root).close();
    assertEquals(written, Files.readAttributes(version, BasicFileAttributes.class).fileKey());
  }

  @Test
  public void open_unknownFormat_isCleared() throws IOException {
    for (String version : new String[] {"format=1\npageSize=4096\n", "pageSize=4096\n", "\\u12",
        "format=3\npageSize=8192\n", "format=3\npageSize=4096\nmore=1\n"}) {
      TestingSsd ssd = TestingSsd.open(root);
      ssd.cacheAll(TestingReplica.create(folder.getRoot().toPath(), 1, 10_000));
      ssd.close();
      Files.writeString(root.resolve("dn-uuid/VERSION"), version);
      try (TestingSsd again = TestingSsd.open(root)) {
        assertEquals(version, List.of(), again.pageFiles());
      }
    }
  }

  @Test
  public void open_leftoverIsALink_theLinkGoesAndItsTargetStays() throws IOException {
    Path target = folder.newFolder("elsewhere").toPath();
    Path precious = Files.createFile(target.resolve("precious"));
    Path pages = Files.createDirectories(root.resolve("dn-1").resolve(PagePaths.LAYOUT));
    Path link = Files.createSymbolicLink(pages.resolve("4096"), target);
    open("dn-1", root).close();
    assertTrue(Files.exists(precious));
    assertFalse(Files.isSymbolicLink(link));
  }

  @Test
  public void open_secondOfTwoFails_theFirstIsGivenFree() throws IOException {
    Path other = folder.newFolder("other").toPath().toRealPath();
    try (SsdDirectories blocker = open("dn-1", other)) {
      assertThrows(IOException.class, () -> open("dn-2", root, other));
      assertEquals(other, blocker.all().get(0).path());
      assertEquals(List.of(), TestingSsd.openFilesBelow(root));
    }
    open("dn-1", root, other).close();
  }
}
