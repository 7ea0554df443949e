/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.ssd.file.PageOrigin;
import org.junit.Test;

/** Pages with some parts, and a restart. */
public class TestRestoredParts extends GrowingPagesFixture {

  private final List<String> notAdopted = new ArrayList<>();
  private final Map<Event, Integer> counts = new EnumMap<>(Event.class);

  /** Restarts, and restores as the DataNode does. */
  private void restart() throws IOException {
    ssd.close();
    openSsd();
    blocks.clear();
    assertEquals(0, ssd.directory().usedBytes());
    RestoredPages restored = ssd.directory().restored();
    for (String fileId : restored.begin(this::count)) {
      try {
        restored.adopt(fileId, this::count);
      } catch (IOException e) {
        notAdopted.add(fileId);
        continue;
      }
      PageOrigin origin = restored.identify(fileId, this::count);
      if (origin != null) {
        CachedBlock block =
            ssd.index().registerRestored(origin.snapshot(), origin.layout(), fileId,
                ssd.directory()).block();
        blocks.add(block);
        block.adding().lock();
        try {
          restored.link(block, this::count);
        } finally {
          block.adding().unlock();
        }
      }
    }
    restored.end();
  }

  private void count(Event event, int files) {
    counts.merge(event, files, Integer::sum);
  }

  private CachedBlock restored(CachedBlock before) {
    return ssd.index().find(before.snapshot());
  }

  private void setLength(CachedBlock block, int page, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(ssd.pageFile(block, page).toFile(), "rw")) {
      file.setLength(length);
    }
  }

  @Test
  public void restart_truncatedFile_isDroppedAndTheOthersStay() throws IOException {
    for (int length : new int[] {0, 1, 4095, 4096, PART, PAGE, PAGE + 4096, PAGE + 7 * 4096}) {
      CachedBlock before = block(3 * PAGE);
      cache(before, 0, 0, 7);
      cache(before, 1, 0, 7);
      cache(before, 2, 2, 5);
      try (FileChannel file =
          FileChannel.open(ssd.pageFile(before, 1), StandardOpenOption.WRITE)) {
        file.truncate(length);
      }
      restart();
      CachedBlock block = restored(before);
      assertNotNull("length " + length, block);
      assertEquals("length " + length, 0, block.parts(1));
      assertParts(block, 0, 0b11111111);
      assertParts(block, 2, 0b111100);
      assertEquals("length " + length, 1, (int) counts.remove(Event.RESTORE_DROPPED_DAMAGED));
      assertBooksBalance();
      ssd.directory().pages().removeBlock(block);
    }
  }

  /** A damaged file that blocks all that come after it. */
  @Test
  public void restart_fileCannotBeDeleted_isDeletedLaterWithAllThatIsNoPage() throws IOException {
    CachedBlock before = block(3 * PAGE);
    for (int page = 0; page < 3; page++) {
      cache(before, page, 0, 7);
    }
    cache(block(PAGE), 0, 0, 7);
    Path stuck = ssd.pageFile(before, 1);
    setLength(before, 1, 1);
    assumeTrue("files can be made immutable here", Run.tryTo("chattr", "+i", stuck.toString()));
    try {
      restart();
      assertEquals(List.of(before.fileId()), notAdopted);
      assertEquals(1, ssd.directory().undeletedFiles());
      ssd.mayFail();
      ssd.deleteAgain();
      assertTrue(Files.exists(stuck));
      assertEquals(1, ssd.directory().undeletedFiles());
    } finally {
      assertTrue(Run.tryTo("chattr", "-i", stuck.toString()));
    }
    // It waits a hundred times as long as it took.
    while (ssd.directory().undeletedFiles() != 0) {
      ssd.deleteAgain();
    }
    assertFalse(Files.exists(stuck));
    assertEquals("what was adopted is there, and nothing else",
        ssd.directory().pages().count(), ssd.pageFiles().size());
    assertTrue(ssd.directory().pages().count() >= 1);
  }

  /** So long that its space overflows the counter. */
  @Test
  public void restart_fileFarTooLong_isDroppedAndTheBooksBalance() throws IOException {
    capacity = 1 << 30;
    restart();
    CachedBlock before = block(2 * PAGE);
    cache(before, 0, 0, 7);
    cache(before, 1, 0, 7);
    setLength(before, 1, 300 << 20);
    restart();
    CachedBlock block = restored(before);
    assertParts(block, 0, 0b11111111);
    assertEquals(1, (int) counts.get(Event.RESTORE_DROPPED_DAMAGED));
    assertBooksBalance();
    ssd.directory().pages().removeBlock(block);
    assertEquals(0, ssd.directory().usedBytes());
  }
}
