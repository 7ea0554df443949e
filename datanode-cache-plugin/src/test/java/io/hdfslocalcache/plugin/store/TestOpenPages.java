/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestOpenPages {

  private static final int LIMIT = 4;
  private static final int FILES = 12;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final OpenPages pages = new OpenPages(LIMIT);
  private final AtomicInteger opens = new AtomicInteger();
  private final Set<Integer> removed = ConcurrentHashMap.newKeySet();
  private Path root;

  @Before
  public void makeFiles() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    for (int id = 0; id < FILES; id++) {
      Files.write(root.resolve(String.valueOf(id)), new byte[] {(byte) id});
    }
  }

  private OpenPage acquire(int id) throws IOException {
    return pages.acquire(id, new OpenPages.Opener() {
      @Override
      public OpenPage open() throws IOException {
        opens.incrementAndGet();
        return new OpenPage(FileChannel.open(root.resolve(String.valueOf(id))));
      }

      @Override
      public boolean stillThere() {
        return !removed.contains(id);
      }
    });
  }

  private static void assertReadable(int id, OpenPage page) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(1);
    page.read(0, content);
    assertEquals(id, content.get(0));
  }

  private int descriptors() throws IOException {
    return TestingSsd.openFilesBelow(root).size();
  }

  @Test
  public void acquire_again_sharesTheFile() throws IOException {
    OpenPage first = acquire(1);
    OpenPage second = acquire(1);
    assertSame(first, second);
    assertEquals(1, opens.get());
    first.close();
    second.close();
    assertReadable(1, acquire(1));
  }

  @Test
  public void acquire_moreThanTheLimit_keepsTheLimit() throws IOException {
    for (int round = 0; round < 3; round++) {
      for (int id = 0; id < FILES; id++) {
        acquire(id).close();
        assertTrue(pages.size() <= LIMIT);
        assertEquals(pages.size(), descriptors());
      }
    }
    assertEquals(LIMIT, pages.size());
  }

  @Test
  public void acquire_usedBetweenOthers_isNotTheOneThatIsClosed() throws IOException {
    for (int id = 0; id < LIMIT; id++) {
      acquire(id).close();
    }
    acquire(LIMIT).close();
    // The hand has passed all: from here on, use decides.
    int favourite = 2;
    acquire(favourite).close();
    int before = opens.get();
    for (int id = LIMIT + 1; id < FILES; id++) {
      acquire(id).close();
      acquire(favourite).close();
    }
    assertEquals("only the others were opened", FILES - LIMIT - 1, opens.get() - before);
  }

  @Test
  public void closeAll_oneIsHeld_closesTheOthersAndOpensAnew() throws IOException {
    OpenPage held = acquire(0);
    acquire(1).close();
    pages.closeAll();
    assertEquals(0, pages.size());
    assertEquals(1, descriptors());
    assertReadable(0, held);
    held.close();
    assertEquals(0, descriptors());
    try (OpenPage again = acquire(1)) {
      assertReadable(1, again);
    }
  }

  @Test
  public void acquire_heldWhileOthersPass_staysReadable() throws IOException {
    OpenPage held = acquire(0);
    for (int round = 0; round < 2; round++) {
      for (int id = 1; id < FILES; id++) {
        acquire(id).close();
      }
    }
    assertReadable(0, held);
    OpenPage again = acquire(0);
    assertNotSame("the table has let it go", held, again);
    held.close();
    assertFalse(held.file().isOpen());
    assertReadable(0, again);
  }

  @Test
  public void acquire_missingFile_throwsAndKeepsNothing() {
    assertThrows(NoSuchFileException.class, () -> acquire(FILES));
    assertEquals(0, pages.size());
  }

  @Test
  public void acquire_pageRemovedWhileItWasOpened_isReadableButNotKept() throws IOException {
    removed.add(3);
    OpenPage page = acquire(3);
    assertEquals(0, pages.size());
    assertReadable(3, page);
    page.close();
    assertEquals(0, descriptors());
  }

  @Test
  public void close_page_closesTheFileAfterItsReaders() throws IOException {
    OpenPage first = acquire(5);
    OpenPage second = acquire(5);
    pages.close(5);
    first.close();
    assertReadable(5, second);
    second.close();
    assertFalse(second.file().isOpen());
    assertEquals(0, pages.size());
    pages.close(5);
    assertEquals("closing what is not open", 0, pages.size());
  }

  @Test
  public void close_table_closesAllAndKeepsNothingLater() throws IOException {
    OpenPage held = acquire(1);
    acquire(2).close();
    pages.close();
    assertReadable(1, held);
    held.close();
    assertEquals(0, descriptors());
    OpenPage late = acquire(3);
    assertReadable(3, late);
    late.close();
    assertEquals(0, descriptors());
    assertEquals(0, pages.size());
  }

  @Test
  public void read_pastTheEnd_isDamage() throws IOException {
    try (OpenPage page = acquire(1)) {
      assertThrows(io.hdfslocalcache.plugin.page.DamagedPageException.class,
          () -> page.read(0, ByteBuffer.allocate(2)));
    }
  }

  @Test
  public void acquireAndClose_manyThreads_everyHeldPageIsReadableAndNoneLeaks()
      throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Random random = new Random(seed + i);
      futures.add(threads.submit(() -> stress(random)));
    }
    for (Future<?> future : futures) {
      future.get();
    }
    threads.shutdown();
    assertTrue("size " + pages.size(), pages.size() >= 0 && pages.size() <= LIMIT + 1);
    assertEquals(pages.size(), descriptors());
    pages.close();
    assertEquals(0, pages.size());
    assertEquals(0, descriptors());
  }

  private Void stress(Random random) throws IOException {
    for (int i = 0; i < 5_000; i++) {
      int id = random.nextInt(FILES);
      OpenPage page = acquire(id);
      int other = random.nextInt(FILES);
      OpenPage second = acquire(other);
      if (random.nextInt(4) == 0) {
        pages.close(id);
      }
      assertReadable(id, page);
      page.close();
      assertReadable(other, second);
      second.close();
    }
    return null;
  }
}
