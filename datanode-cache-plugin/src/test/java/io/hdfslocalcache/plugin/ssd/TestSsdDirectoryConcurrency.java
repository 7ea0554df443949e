/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageSlice;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Fills, reads, evictions and removals of the same few pages at the same time. */
public class TestSsdDirectoryConcurrency {

  private static final int PAGES = 5;
  private static final int PAGE_TAKES = 2 * 4096;
  private static final int CAPACITY_PAGES = 8;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final List<TestingReplica> replicas = new ArrayList<>();
  private final List<CachedBlock> blocks = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger found = new AtomicInteger();
  private Path root;
  private TestingSsd ssd;

  @Before
  public void open() throws IOException {
    root = folder.newFolder("ssd").toPath().toRealPath();
    ssd = TestingSsd.open(root, CAPACITY_PAGES * PAGE_TAKES);
    for (int id = 0; id < 3; id++) {
      replicas.add(TestingReplica.create(
          folder.getRoot().toPath(), id, PAGES * TestingSsd.PAGE));
      blocks.add(ssd.register(replicas.get(id)));
    }
  }

  @After
  public void close() {
    threads.shutdownNow();
    ssd.close();
  }

  @Test
  public void everything_atOnce_readersGetRightBytesAndBooksBalance() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int writer = i;
      tasks.add(() -> repeat(new Random(seed + writer), random -> put(writer, random)));
    }
    tasks.add(() -> repeat(new Random(seed + 3), this::read));
    tasks.add(() -> repeat(new Random(seed + 4), this::read));
    tasks.add(() -> repeat(new Random(seed + 5), this::remove));
    for (Future<Void> result : threads.invokeAll(tasks)) {
      result.get();
    }
    assertTrue("no page was ever found", found.get() > 0);
    assertBooksBalance();
  }

  private interface Step {
    void take(Random random) throws IOException;
  }

  private static Void repeat(Random random, Step step) throws IOException {
    for (int i = 0; i < 2_000; i++) {
      step.take(random);
    }
    return null;
  }

  private void put(int writer, Random random) throws IOException {
    CachedBlock block = blocks.get(writer);
    int page = random.nextInt(PAGES);
    ByteBuffer content = replicas.get(writer).page(block.layout(), page);
    PageSlice slice = PageSlice.whole(block.layout(), page);
    ssd.directory().pages().prepare(block, slice, content);
    assertTrue("not published", ssd.directory().pages().publish(block, slice, content, null));
    ssd.directory().pages().discard(block, page);
  }

  private void read(Random random) throws IOException {
    int id = random.nextInt(replicas.size());
    int number = random.nextInt(PAGES);
    CachedBlock block = blocks.get(id);
    try {
      assertEquals(replicas.get(id).page(block.layout(), number), ssd.read(block, number));
      found.incrementAndGet();
    } catch (PageNotReadException e) {
      // Nobody has put it, or somebody has removed it.
    }
  }

  private void remove(Random random) {
    CachedBlock block = blocks.get(random.nextInt(blocks.size()));
    if (random.nextBoolean()) {
      ssd.directory().pages().removeBlock(block.fileId());
    } else {
      ssd.directory().pages().removePage(block.fileId(), random.nextInt(PAGES));
    }
  }

  private void assertBooksBalance() throws IOException {
    int files = ssd.pageFiles().size();
    assertTrue(files + " files", files <= CAPACITY_PAGES);
    assertEquals((long) files * PAGE_TAKES, ssd.directory().usedBytes());
    assertEquals(files, ssd.index().pages());
    assertEquals(files, blocks.stream().mapToInt(CachedBlock::pages).sum());
    assertEquals(List.of(), ssd.temporaryFiles());
    blocks.forEach(block -> ssd.directory().pages().removeBlock(block.fileId()));
    assertEquals(List.of(), ssd.pageFiles());
    assertEquals(0, ssd.directory().usedBytes());
    assertEquals("only the lock is open", 1, TestingSsd.openFilesBelow(root).size());
  }
}
