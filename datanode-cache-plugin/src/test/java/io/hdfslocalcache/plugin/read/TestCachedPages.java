/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.harness.HadoopJvm;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.testing.TestingConfig;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A page that cannot be read is removed if that is the SSD's fault, and only then. */
public class TestCachedPages {

  private static final int PAGES = 40;
  private static final int DESCRIPTORS = 400;
  /** More than the failed reads that take an SSD down. */
  private static final int READERS = 8;

  /** One block on one SSD. */
  private static final class Fixture implements AutoCloseable {
    private final LocalCacheMetrics metrics;
    private final BufferPool buffers;
    private final TestingSsd ssd;
    private final CachedPages pages;
    private final CachedBlock block;

    Fixture(Path root) throws IOException {
      this(root, 1 << 20);
    }

    /** Has an SSD with one thread. Every wait counts as slow. */
    Fixture(Path root, int bufferBytes) throws IOException {
      ssd = TestingSsd.open(root.resolve("ssd"), Map.of(TestingConfig.IO_THREADS, "1"));
      ssd.mayFail();
      metrics = ssd.metrics();
      buffers = new BufferPool(bufferBytes);
      MemoryTier memory = new MemoryTier(
          new MemoryLimits(root, 0, 0), TestingSsd.PAGE, buffers, System::nanoTime);
      pages = new CachedPages(() -> true, memory, new PageFetches(buffers, memory), metrics);
      metrics.setSlowNanos(0);
      block = ssd.cacheAll(TestingReplica.create(root, 1, PAGES * TestingSsd.PAGE));
    }

    PageBytes get(int page) {
      return get(page, Budgets.ample());
    }

    PageBytes get(int page, WaitBudget budget) {
      return pages.get(block, page, 0, TestingSsd.PAGE, TestingSsd.PAGE, budget);
    }

    /** Blocks the SSD's thread, as a read that has no answer yet. */
    void holdTheSsd(CountDownLatch answer) {
      ssd.directory().io().begin(Operation.PAGE_READ, () -> {
        try {
          return answer.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      });
    }

    SsdState state() {
      return ssd.directory().io().health().state();
    }

    int pages() throws IOException {
      return ssd.pageFiles().size();
    }

    @Override
    public void close() {
      ssd.close();
    }
  }

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void readFailed_faultOfTheProcess_pagesStayAndTheSsdIsNormal() throws Exception {
    try (Fixture fixture = new Fixture(folder.getRoot().toPath())) {
      for (IOException error : List.of(
          new FileSystemException("/ssd/page", null, "Too many open files"),
          new IOException("reading a page", new OutOfMemoryError("Java heap space")),
          new IOException("reading a page", new IllegalStateException("a bug")),
          new ClosedByInterruptException())) {
        for (int page = 0; page < PAGES; page++) {
          fixture.ssd.directory().readFailed(fixture.block, page, error);
        }
      }
      fixture.ssd.directories().endWork();
      assertEquals(PAGES, fixture.pages());
      assertEquals(PAGES, fixture.block.pages());
      assertEquals(SsdState.NORMAL, fixture.state());
    }
  }

  @Test
  public void readFailed_faultOfTheSsd_pageIsRemoved() throws Exception {
    try (Fixture fixture = new Fixture(folder.getRoot().toPath())) {
      fixture.ssd.directory().readFailed(
          fixture.block, 3, new IOException("Input/output error"));
      fixture.ssd.directories().endWork();
      assertEquals(PAGES - 1, fixture.pages());
      assertEquals(0, fixture.block.parts(3));
      assertEquals(0, fixture.metrics.total(Event.DAMAGED_PAGES));
    }
  }

  @Test
  public void get_noAnswer_isAnErrorAndSlow() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    try (Fixture fixture = new Fixture(folder.getRoot().toPath())) {
      fixture.holdTheSsd(answer);
      assertNull(fixture.get(0, Budgets.of(50, TimeUnit.MILLISECONDS)));
      assertEquals(1, fixture.metrics.errors(Operation.PAGE_READ, ErrorCause.TIMEOUT));
      assertEquals(1, fixture.metrics.total(Event.SLOW_READS_SSD));
      assertEquals("nothing was read", 0, fixture.buffers.inUseBytes());
      answer.countDown();
    }
  }

  @Test
  public void get_manyWaitForOneReadThatFails_isOneErrorOfTheSsd() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    try (Fixture fixture = new Fixture(folder.getRoot().toPath())) {
      fixture.holdTheSsd(answer);
      Path file = fixture.ssd.pageFile(fixture.block, 0);
      Files.delete(file);
      // Can be opened, but a read of it fails.
      Files.createDirectory(file);
      List<Thread> readers = new ArrayList<>();
      AtomicInteger got = new AtomicInteger();
      for (int i = 0; i < READERS; i++) {
        Thread reader = new Thread(() -> {
          if (fixture.get(0) != null) {
            got.incrementAndGet();
          }
        });
        readers.add(reader);
        reader.start();
      }
      for (Thread reader : readers) {
        while (reader.isAlive() && reader.getState() != Thread.State.TIMED_WAITING) {
          Thread.sleep(1);
        }
      }
      answer.countDown();
      for (Thread reader : readers) {
        reader.join();
      }
      assertEquals(0, got.get());
      assertEquals(1, fixture.metrics.errors(Operation.PAGE_READ, ErrorCause.IO));
      assertEquals(SsdState.NORMAL, fixture.state());
      assertEquals(0, fixture.block.parts(0));
    }
  }

  @Test
  public void get_allBuffersInUse_isCountedAndNoError() throws Exception {
    try (Fixture fixture = new Fixture(folder.getRoot().toPath(), 0)) {
      assertNull(fixture.get(0));
      assertEquals(1, fixture.metrics.total(Event.READS_WITHOUT_BUFFER));
      assertEquals(0, fixture.metrics.errors());
      assertEquals("the page stays", 1, fixture.block.parts(0));
    }
  }

  /** Runs {@link #main} in its own JVM, with a low limit of open files. */
  @Test
  public void acquire_processHasNoDescriptorLeft_pagesStayAndTheSsdIsNormal() throws Exception {
    Run jvm = Run.of(Map.of(), List.of("bash", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$@\"",
        "bash", HadoopJvm.program(), "-Xmx256m",
        "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        TestCachedPages.class.getName(), folder.getRoot().toString()));
    assertEquals(jvm.out(), 0, jvm.exit());
  }

  /** Throws if the test fails. Argument: a directory. */
  public static void main(String[] args) throws Exception {
    try (Fixture fixture = new Fixture(Path.of(args[0]))) {
      // A first failure loads classes that cannot be loaded without descriptors.
      Files.delete(fixture.ssd.pageFile(fixture.block, PAGES - 1));
      assertNull(fixture.get(PAGES - 1));
      List<FileInputStream> all = exhaustDescriptors();
      for (int page = 0; page < PAGES - 1; page++) {
        PageBytes bytes = fixture.get(page);
        while (bytes != null) {
          // Another thread has closed a file meanwhile.
          bytes.close();
          all.addAll(exhaustDescriptors());
          bytes = fixture.get(page);
        }
      }
      for (FileInputStream one : all) {
        one.close();
      }
      assertEquals(SsdState.NORMAL, fixture.state());
      assertEquals(PAGES - 1, fixture.metrics.errors(Operation.PAGE_READ, ErrorCause.PROCESS));
      for (int page = 0; page < PAGES - 1; page++) {
        try (PageBytes bytes = fixture.get(page)) {
          assertNotNull("page " + page, bytes);
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static List<FileInputStream> exhaustDescriptors() {
    List<FileInputStream> all = new ArrayList<>();
    try {
      while (all.size() < 2 * DESCRIPTORS) {
        all.add(new FileInputStream("/dev/null"));
      }
      throw new AssertionError("as many as wanted");
    } catch (FileNotFoundException e) {
      return all;
    }
  }
}
