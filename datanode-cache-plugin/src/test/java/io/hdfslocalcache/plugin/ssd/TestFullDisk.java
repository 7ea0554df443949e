/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Somebody else fills a real file system of 64 MB, and frees it again. Needs root for its mount. */
public class TestFullDisk {

  private static final int REPLICA = 1 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private Path disk;
  private TestingSsd ssd;
  private long nextBlock = 1;

  @Before
  public void mount() throws Exception {
    Assume.assumeTrue("skipped: only root can mount a file system",
        System.getProperty("user.name").equals("root"));
    Path image = folder.getRoot().toPath().resolve("image");
    disk = folder.newFolder("disk").toPath().toRealPath();
    try (FileChannel file = FileChannel.open(
        image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), (64 << 20) - 1);
    }
    Run.output("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
    Assume.assumeTrue("skipped: no loop device can be mounted here",
        Run.tryTo("mount", "-o", "loop", image.toString(), disk.toString()));
    ssd = TestingSsd.open(disk.resolve("ssd"), 40 << 20);
  }

  @After
  public void unmount() throws Exception {
    if (ssd != null) {
      ssd.close();
      Run.output("umount", disk.toString());
    }
  }

  /** Caches one more block of 1 MB. @return the block. */
  private CachedBlock cacheOneMore() throws IOException {
    return ssd.cacheAll(
        TestingReplica.create(folder.getRoot().toPath(), nextBlock++, REPLICA));
  }

  private Path fillUp(long leave) throws IOException {
    Path file = disk.resolve("somebody else's");
    byte[] bytes = new byte[64 << 10];
    try (FileChannel out = FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (disk.toFile().getUsableSpace() > leave + bytes.length) {
        out.write(ByteBuffer.wrap(bytes));
      }
    }
    return file;
  }

  @Test
  public void othersFillTheDisk_pagesMakeRoomAndComeBack() throws Exception {
    for (int i = 0; i < 10; i++) {
      cacheOneMore();
    }
    assertEquals("there is room for more", 0, ssd.evictions());
    long before = ssd.directory().usedBytes();
    Path foreign = fillUp(1 << 20);
    IOException full = assertThrows(IOException.class, () -> {
      for (int i = 0; i < 3; i++) {
        cacheOneMore();
      }
    });
    assertTrue(full.getMessage(), full.getMessage().contains("No space left"));
    assertEquals("nothing half-written", List.of(), ssd.temporaryFiles());
    assertTrue("fills are told", !ssd.directory().hasRoom());

    ssd.directory().checkSpace(() -> false);
    assertTrue(ssd.directory().hasRoom());
    assertTrue("some pages left", ssd.evictions() > 0);
    assertTrue(ssd.directory().capacityBytes() < before + (1 << 20));
    cacheOneMore();

    Files.delete(foreign);
    for (int i = 0; i < 40; i++) {
      cacheOneMore();
    }
    assertEquals("the index and the disk agree", ssd.index().pages(), ssd.pageFiles().size());
  }
}
