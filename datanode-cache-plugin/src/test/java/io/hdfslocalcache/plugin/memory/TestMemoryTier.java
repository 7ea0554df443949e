/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.store.TestingSsd;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

/** On a file system that is no tmpfs, but where a tmpfs does something that others do not. */
public class TestMemoryTier {

  private static final int PAGE = 4096;
  private static final int FILE = 8192;
  private static final int BLOCK_PAGES = 200;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final BlockIndex index = new BlockIndex();
  private final BufferPool buffers = new BufferPool(1 << 20);
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private Path root;
  private Path directory;
  private TestingReplica replica;
  private CachedBlock block;
  private MemoryTier tier;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    directory = folder.newFolder("memory").toPath().toRealPath();
    replica = TestingReplica.create(root, 1, BLOCK_PAGES * PAGE);
    block = index.register(replica.snapshot(), replica.layout(PAGE)).block();
    for (int page = 0; page < BLOCK_PAGES; page++) {
      index.pageAdded(block.fileId(), page);
    }
    open(32, 1000);
  }

  private void open(int pages, int files) {
    tier = new MemoryTier(
        new MemoryLimits(directory, (long) pages * FILE, files), PAGE, buffers, clock::get);
    tier.setOpen(true);
  }

  @After
  public void close() throws IOException {
    tier.close();
    assertEquals(0, tier.usedBytes());
    assertEquals(0, tier.pages());
    assertEquals(0, buffers.inUseBytes());
    assertEquals(List.of(), openFiles());
  }

  /** @return the files that this process has open there, all of which are deleted. */
  private List<String> openFiles() throws IOException {
    return TestingSsd.openFilesBelow(directory);
  }

  private boolean enter(int page) {
    return tier.enter(block, page, replica.page(block.layout(), page));
  }

  private boolean has(int page) throws IOException {
    try (PageBytes found = tier.find(block, page)) {
      return found != null;
    }
  }

  private void assertRight(int page, PageBytes bytes) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(PAGE - 100);
    bytes.readData(100, data);
    assertEquals(ByteBuffer.wrap(replica.data(), page * PAGE + 100, PAGE - 100), data.flip());
    ByteBuffer sums = ByteBuffer.allocate(8);
    bytes.readChecksums(4, sums);
    assertEquals(ByteBuffer.wrap(replica.checksums(), page * PAGE / 128 + 4, 8), sums.flip());
  }

  private void assertFreed() throws IOException {
    assertEquals(0, tier.usedBytes());
    assertEquals(List.of(), openFiles());
  }

  @Test
  public void find_pageThatEntered_hasItsBytesAndNoName() throws IOException {
    assertTrue(enter(3));
    try (PageBytes found = tier.find(block, 3)) {
      assertRight(3, found);
      assertTrue(found.isInTier());
      assertTrue(found.covers(0, PAGE));
    }
    assertFalse(has(4));
    assertEquals(FILE, tier.usedBytes());
    assertEquals(1, tier.pages());
    assertEquals(1, openFiles().size());
    assertTrue(openFiles().get(0), openFiles().get(0).contains("hdfs-local-cache-"
        + ProcessHandle.current().pid()));
    try (var listed = Files.list(directory)) {
      assertEquals("nothing that a crash could leave behind", 0, listed.count());
    }
  }

  @Test
  public void find_otherStateOfTheBlock_isNotTheOldPage() throws IOException {
    enter(0);
    ReplicaSnapshot longer = new ReplicaSnapshot(replica.snapshot().key(),
        replica.snapshot().generationStamp(), replica.snapshot().length() + 1);
    CachedBlock other = new BlockIndex().register(longer,
        TestingReplica.create(folder.newFolder().toPath(), longer, TestingReplica.CRC32C)
            .layout(PAGE)).block();
    assertEquals(block.fileId(), other.fileId());
    assertNull(tier.find(other, 0));
    assertFreed();
  }

  @Test
  public void enter_pageThatHasLeftTheSsdOrBlockThatDied_doesNotStay() throws IOException {
    index.pageRemoved(block.fileId(), 1);
    enter(1);
    assertFalse(has(1));
    assertFreed();
    block.kill();
    enter(2);
    assertFalse(has(2));
    assertFreed();
  }

  @Test
  public void enter_samePageTwice_takesItsMemoryOnce() throws IOException {
    enter(0);
    enter(0);
    assertEquals(FILE, tier.usedBytes());
    assertEquals(1, openFiles().size());
  }

  @Test
  public void remove_pageThatIsNotTrueAnyMore_freesItWhenItsReaderHasEnded() throws IOException {
    enter(0);
    PageBytes held = tier.find(block, 0);
    tier.remove(block.fileId(), 0);
    assertNull(tier.find(block, 0));
    assertEquals(0, tier.usedBytes());
    assertRight(0, held);
    PageBytes shared = held.share();
    held.close();
    assertRight(0, shared);
    shared.close();
    assertFreed();
  }

  @Test
  public void enter_full_othersLeaveAndFreeWhatNobodyReads() throws IOException {
    for (int page = 0; page < BLOCK_PAGES; page++) {
      assertTrue(enter(page));
      assertTrue(tier.usedBytes() <= tier.capacityBytes());
      assertEquals(tier.usedBytes() / FILE, openFiles().size());
    }
    assertEquals(32 * FILE, tier.capacityBytes());
    assertEquals(tier.pages() * FILE, tier.usedBytes());
    assertTrue(tier.pages() > 16);
  }

  @Test
  public void enter_fewOpenFiles_noMorePagesThanFiles() throws IOException {
    tier.close();
    open(32, 4);
    for (int page = 0; page < 20; page++) {
      enter(page);
      assertTrue(openFiles().size() <= 4);
    }
    assertTrue(tier.pages() > 0);
  }

  @Test
  public void enter_scan_doesNotFlushWhatIsReadOften() throws IOException {
    for (int round = 0; round < 20; round++) {
      for (int page = 0; page < 16; page++) {
        if (!has(page)) {
          enter(page);
        }
      }
    }
    for (int page = 16; page < BLOCK_PAGES; page++) {
      enter(page);
    }
    int left = 0;
    for (int page = 0; page < 16; page++) {
      left += has(page) ? 1 : 0;
    }
    assertTrue("left: " + left, left >= 14);
  }

  @Test
  public void setOpen_off_freesAllButWhatIsBeingRead() throws IOException {
    enter(0);
    enter(1);
    PageBytes held = tier.find(block, 0);
    tier.setOpen(false);
    assertEquals(0, tier.usedBytes());
    assertEquals(1, openFiles().size());
    assertRight(0, held);
    held.close();
    assertFreed();
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    enter(0);
    assertNull("off", tier.find(block, 0));
    assertFreed();
    tier.setOpen(true);
    enter(0);
    assertTrue(has(0));
  }

  @Test
  public void setOpen_noCapacity_staysOff() throws IOException {
    tier.close();
    open(0, 0);
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    assertNull(tier.find(block, 0));
    assertEquals(0, tier.capacityBytes());
  }

  @Test
  public void isWorthMoving_secondRead_is() {
    assertFalse(tier.isWorthMoving(block, 0, PAGE));
    assertTrue(tier.isWorthMoving(block, 0, PAGE));
  }

  @Test
  public void send_anySize_headAndDataInTheirOrder() throws IOException {
    enter(0);
    for (int length : new int[] {0, 1, 512, PAGE}) {
      for (int headLength : new int[] {0, 30}) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer head = ByteBuffer.wrap(new byte[headLength]);
        try (PageBytes page = tier.find(block, 0);
            WritableByteChannel socket = Channels.newChannel(out)) {
          assertEquals(length, page.send(head, 0, length, socket));
        }
        assertFalse(head.hasRemaining());
        assertEquals(headLength + length, out.size());
        assertTrue(Arrays.equals(replica.data(), 0, length, out.toByteArray(), headLength,
            headLength + length));
      }
    }
  }

  private interface Fault {
    void mend() throws IOException;
  }

  /** Nothing can be written now: one line in 10 s, and all else goes on. */
  private void assertPausesUntil(Fault fault) throws IOException {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(MemoryTier.class));
    try {
      for (int second = 0; second < 10; second++) {
        for (int page = 100; page < 150; page++) {
          if (tier.isWorthMoving(block, page, PAGE)) {
            assertFalse(enter(page));
          }
        }
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      }
      assertEquals(log.getOutput(), 1, log.getOutput().lines().count());
      assertTrue(log.getOutput(), log.getOutput().contains(directory.toString()));
    } finally {
      log.stopCapturing();
    }
    fault.mend();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
    tier.isWorthMoving(block, 150, PAGE);
    assertTrue(tier.isWorthMoving(block, 150, PAGE));
    assertTrue(enter(150));
    assertTrue(has(150));
  }

  @Test
  public void enter_directoryRemoved_costsHitsInMemoryOnly() throws IOException {
    enter(0);
    Files.delete(directory);
    assertPausesUntil(() -> Files.createDirectory(directory));
    try (PageBytes found = tier.find(block, 0)) {
      assertRight(0, found);
    }
  }

  @Test
  public void enter_tmpfsFull_costsHitsInMemoryOnly() throws Exception {
    assumeTrue("a tmpfs can be mounted here", run(
        "mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", directory.toString()));
    try {
      tier.close();
      open(32, 1000);
      int entered = 0;
      while (enter(entered)) {
        entered++;
      }
      assertTrue(String.valueOf(entered), entered >= 4 && entered <= 8);
      assertEquals("what was begun is gone", entered, openFiles().size());
      assertEquals(entered * FILE, tier.usedBytes());
      for (int page = 0; page < entered; page++) {
        try (PageBytes found = tier.find(block, page)) {
          assertNotNull(found);
          assertRight(page, found);
        }
      }
      clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
      assertPausesUntil(() -> tier.remove(block.fileId(), 0));
    } finally {
      tier.close();
      assertTrue(run("umount", directory.toString()));
    }
  }

  private static boolean run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command)
          .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
