/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.faults.LoopImage;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.ssd.SsdReport;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedTroubles;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.fs.FileUtil;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** File systems that are mounted or made in ways that an operator does not think of. */
public class TestOddMounts {

  private static final String FILE = "/file";
  private static final int LENGTH = 5 * LocalCacheCluster.PAGE;
  /** A file system with blocks of 1 KB has room for fewer names of this length in a directory. */
  private static final int MANY = 200_000;
  /** ext4 has no more of a file. */
  private static final int MOST_LINKS = 60_000;

  @Rule
  public final Timeout timeout = Timeout.seconds(600);

  private final LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
  private Path images;
  private LoopImage image;
  private LocalCacheCluster cluster;
  private LoggedTroubles log;

  @Before
  public void findTools() throws IOException {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    images = Files.createTempDirectory(Path.of("/dev/shm"), "odd");
    log = new LoggedTroubles();
  }

  @After
  public void stop() throws IOException {
    if (log != null) {
      log.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (image != null) {
      image.close();
    }
    if (images != null) {
      FileUtil.fullyDelete(images.toFile());
    }
  }

  private void make(String... formatOptions) throws IOException {
    image = LoopImage.create(LoopImage.Type.EXT4, images, formatOptions);
  }

  private void start(Path directory) throws IOException {
    cluster = builder.set(LocalCacheKeys.DIRECTORIES, directory)
        .set(LocalCacheKeys.CAPACITY, "24m").set(LocalCacheKeys.RESERVED, "1m")
        .set(LocalCacheKeys.REQUIRE_MOUNT, true).set(TestingConfig.PROBE_INTERVAL, "200ms").start();
  }

  private SsdReport ssd() {
    return cluster.cache(0).directories().reports().get(0);
  }

  private void assertState(String expected) {
    assertEquals(expected, (ssd().state() + " " + ssd().reason()).strip());
  }

  private void awaitState(String expected) {
    LocalCacheCluster.await(expected,
        () -> (ssd().state() + " " + ssd().reason()).startsWith(expected));
  }

  /** Reads until an SSD serves all of it. */
  private void awaitHit(String file, byte[] bytes) {
    LocalCacheCluster.await("a hit of " + file, () -> {
      long hits = cluster.reads(ReadOutcome.HIT);
      try {
        assertArrayEquals(bytes, cluster.read(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return cluster.reads(ReadOutcome.HIT) > hits;
    });
  }

  private void awaitLogged(String words) {
    LocalCacheCluster.await(words + " in " + log.lines(),
        () -> log.lines().stream().anyMatch(line -> line.contains(words)));
  }

  private long noSpace() {
    return cluster.metrics(0).errors(Operation.PAGE_WRITE, ErrorCause.NO_SPACE);
  }

  /** Makes links to empty files in a directory until that takes no more. */
  private static void fill(Path directory, int nameLength) throws IOException {
    FileSystemException full = assertThrows(FileSystemException.class, () -> {
      Path file = null;
      for (int i = 0; i < MANY; i++) {
        Path link = directory.resolve(i + "x".repeat(nameLength - String.valueOf(i).length()));
        if (i % MOST_LINKS == 0) {
          file = Files.createFile(link);
        } else {
          Files.createLink(link, file);
        }
      }
    });
    assertTrue(full.toString(), full.getMessage().contains("No space left"));
  }

  @Test
  public void outOfInodes_pagesMakeRoom_normalAllTheTime() throws Exception {
    make("-N", "300");
    start(image.mountPoint().resolve("local-cache"));
    byte[] bytes = cluster.write(FILE, 20 * LocalCacheCluster.PAGE);
    cluster.readUntilCached(FILE);
    List<Path> others = new ArrayList<>();
    assertThrows(FileSystemException.class, () -> {
      while (true) {
        others.add(Files.createTempFile(image.mountPoint(), "of-somebody-else", ""));
      }
    });
    byte[] more = cluster.write("/more", LENGTH);
    assertArrayEquals(more, cluster.read("/more"));
    LocalCacheCluster.await("an error", () -> noSpace() > 0);
    assertState("NORMAL");
    awaitLogged("see its inodes (df -i) and quotas");
    awaitHit("/more", more);
    for (Path other : others) {
      Files.delete(other);
    }
    awaitHit(FILE, bytes);
    assertState("NORMAL");
  }

  @Test
  public void outOfInodesAtTheStart_downUntilThereAreSome() throws Exception {
    make("-N", "64");
    List<Path> others = new ArrayList<>();
    assertThrows(FileSystemException.class, () -> {
      while (true) {
        others.add(Files.createTempFile(image.mountPoint(), "of-somebody-else", ""));
      }
    });
    start(image.mountPoint().resolve("local-cache"));
    awaitState("DOWN ");
    assertTrue(ssd().reason(), ssd().reason().contains("No space left on device"));
    for (Path other : others) {
      Files.delete(other);
    }
    awaitState("NORMAL");
  }

  /** No directory of the local cache gets so large by itself: its pages are in 1000 of them. */
  @Test
  public void directoryIndexFull_goesOnWithNamesThatFit_normalAllTheTime() throws Exception {
    make("-b", "1024", "-N", "2000");
    start(image.mountPoint().resolve("local-cache"));
    byte[] bytes = cluster.write(FILE, LENGTH);
    cluster.readUntilCached(FILE);
    Path temporary = cluster.cache(0).directories().all().get(0).own("tmp");
    fill(temporary, 250);
    Files.delete(Files.createTempFile(temporary.getParent(), "there-is-space-and-an-inode", ""));
    // Of the names in a full index, some still find a place.
    byte[] more = cluster.write("/more", LENGTH);
    awaitHit("/more", more);
    awaitHit(FILE, bytes);
    assertState("NORMAL");
  }

  @Test
  public void noexecNosuidNodev_worksAsAlways() throws Exception {
    make();
    image.remount("noexec,nosuid,nodev,noatime");
    Path memory = Files.createDirectory(images.resolve("memory"));
    Run.output("mount", "-t", "tmpfs", "-o", "noexec,nosuid,nodev,mode=700", "tmpfs",
        memory.toString());
    try {
      builder.set(LocalCacheKeys.MEMORY_DIRECTORY, memory);
      start(image.mountPoint().resolve("local-cache"));
      byte[] bytes = cluster.write(FILE, LENGTH);
      awaitHit(FILE, bytes);
      assertArrayEquals(bytes, cluster.readUntilInMemory(FILE));
      assertState("NORMAL");
      assertEquals(List.of(), log.lines());
    } finally {
      Run.output("umount", "-l", memory.toString());
    }
  }

  @Test
  public void readOnlyAtTheStart_downUntilRemounted() throws Exception {
    make();
    image.remount("ro");
    Path directory = image.mountPoint().resolve("local-cache");
    start(directory);
    awaitState("DOWN ");
    assertTrue(ssd().reason(), ssd().reason().contains("Read-only file system"));
    byte[] bytes = cluster.write(FILE, LENGTH);
    assertArrayEquals(bytes, cluster.read(FILE));
    image.remount("rw");
    awaitState("NORMAL");
    awaitHit(FILE, bytes);
    // Its lock is open for writing.
    IOException busy = assertThrows(IOException.class, () -> image.remount("ro"));
    assertTrue(busy.getMessage(), busy.getMessage().contains("busy"));
    assertState("NORMAL");
  }

  @Test
  public void bindMount_worksAndIsMissedWhenItIsGone() throws Exception {
    make();
    Path real = Files.createDirectory(image.mountPoint().resolve("for-hdfs"));
    Path place = Files.createDirectory(images.resolve("place"));
    Run.output("mount", "--bind", real.toString(), place.toString());
    try {
      start(place.resolve("local-cache"));
      byte[] bytes = cluster.write(FILE, LENGTH);
      awaitHit(FILE, bytes);
      Run.output("umount", "-l", place.toString());
      awaitState("DOWN directory is gone: " + place);
      assertArrayEquals(bytes, cluster.read(FILE));
      Run.output("mount", "--bind", real.toString(), place.toString());
      awaitState("NORMAL");
      awaitHit(FILE, bytes);
    } finally {
      Run.tryTo("umount", "-l", place.toString());
    }
  }

  @Test
  public void linkInThePath_toAnotherFileSystem_downUntilItLeadsBack() throws Exception {
    make();
    Path link = Files.createSymbolicLink(builder.directory().resolve("link"), image.mountPoint());
    Path elsewhere = Files.createDirectories(images.resolve("elsewhere"));
    Files.createDirectory(elsewhere.resolve("local-cache"));
    start(link.resolve("local-cache"));
    byte[] bytes = cluster.write(FILE, LENGTH);
    awaitHit(FILE, bytes);
    Files.delete(link);
    Files.createSymbolicLink(link, elsewhere);
    awaitState("DOWN not mounted: ");
    assertArrayEquals(bytes, cluster.read(FILE));
    assertEquals("nothing is written there", 0,
        elsewhere.resolve("local-cache").toFile().list().length);
    Files.delete(link);
    Files.createSymbolicLink(link, image.mountPoint());
    awaitState("NORMAL");
    awaitHit(FILE, bytes);
  }
}
