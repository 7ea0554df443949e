/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Operation;
import org.junit.After;
import org.junit.Test;

/** Many readers miss the same bytes. */
public class TestReadThroughShared extends ReadThroughFixture {

  private static final int READERS = 20;

  private final CountDownLatch mayWrite = new CountDownLatch(1);
  private final List<FutureTask<PageBytes>> others = new ArrayList<>();

  @After
  public void write() {
    mayWrite.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void holdWrites() {
    beforeWrite = () -> await(mayWrite);
  }

  /** While the first reader reads, others come. */
  private void othersComeMeanwhile(TestingReplicas.Incident then) {
    replicas.afterRead(() -> {
      replicas.afterRead(() -> { });
      for (int i = 0; i < READERS; i++) {
        others.add(waitingReader(0, i * 512, i * 512 + 512));
      }
      then.happen();
    });
  }

  @Test
  public void get_manyAtOnce_replicaIsReadOnce() throws Exception {
    othersComeMeanwhile(() -> { });
    assertEquals(PageBytes.Origin.REPLICA, getRight(newRead(), 0, 0, 512));
    for (int i = 0; i < READERS; i++) {
      try (PageBytes bytes = others.get(i).get()) {
        assertRight(bytes, 0, i * 512, i * 512 + 512);
        assertEquals("others did not go to the volume", PageBytes.Origin.MEMORY, bytes.origin());
      }
    }
    assertEquals(PART, replica.dataRead());
    awaitWritten();
    assertCached(0, 0b1);
    assertEquals(PART + 4096, written.get());
  }

  @Test
  public void get_firstReaderHangsAtTheVolume_othersGiveUpAndItGoesOn() throws Exception {
    replicas.afterRead(() -> {
      replicas.afterRead(() -> { });
      budgetNanos = TimeUnit.MILLISECONDS.toNanos(50);
      assertNull("goes to the volume itself", get(newRead(), 0, 0, 512));
    });
    getRight(newRead(), 0, 0, 512);
    awaitWritten();
    assertCached(0, 0b1);
    assertEquals("that others gave up is no error", 0, metrics.errors());
  }

  @Test
  public void get_waitsToBeWritten_othersGetItWithoutARead() throws IOException {
    holdWrites();
    getRight(newRead(), 0, 0, 512);
    assertEquals(0, block.parts(0));
    for (int i = 0; i < READERS; i++) {
      assertEquals(PageBytes.Origin.MEMORY, getRight(newRead(), 0, 0, PART));
    }
    assertEquals(PART, replica.dataRead());
    assertTrue("it waits", buffers.inUseBytes() > 0);
    mayWrite.countDown();
    awaitWritten();
    assertCached(0, 0b1);
  }

  @Test
  public void get_readerHoldsBytesLongerThanTheWriter_theyStayRight() throws IOException {
    PageBytes held = get(newRead(), 0, 0, PART);
    PageBytes shared = held.share();
    held.close();
    fillsAreDone();
    assertCached(0, 0b1);
    assertTrue(buffers.inUseBytes() > 0);
    assertRight(shared, 0, 0, PART);
    shared.close();
    awaitNoBuffers();
  }

  private void fillsAreDone() {
    while (!fills.isIdle() || block.parts(0) == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  public void get_otherParts_areReadBesideEachOther() throws IOException {
    holdWrites();
    getRight(newRead(), 0, 0, 512);
    assertEquals(PageBytes.Origin.REPLICA, getRight(newRead(), 0, PART, PART + 512));
    assertEquals("part of it is not enough", PageBytes.Origin.REPLICA,
        getRight(newRead(), 0, PART, 2 * PART + 512));
    assertEquals(4 * PART, replica.dataRead());
    mayWrite.countDown();
    awaitWritten();
    assertCached(0, 0b111);
    assertEquals("no part is written twice", 3 * (PART + 4096), written.get());
  }

  @Test
  public void get_firstReaderFails_othersGoToTheReplica() throws Exception {
    othersComeMeanwhile(() -> {
      throw new IOException("the disk is gone");
    });
    assertNull(get(newRead(), 0, 0, 512));
    for (FutureTask<PageBytes> other : others) {
      assertNull(other.get());
    }
    assertEquals(PART, replica.dataRead());
    assertEquals("said once", 1, metrics.errors(Operation.FILL_READ, ErrorCause.IO));
    assertEquals(1, metrics.errors());
    assertNothingCached();
    assertNull("those who come soon do not try", get(newRead(), 0, 0, 512));
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10) + 1);
    assertEquals("those who come later try", PageBytes.Origin.REPLICA,
        getRight(newRead(), 0, 0, 512));
  }

  @Test
  public void get_firstReaderIsInterrupted_othersGoToTheReplica() throws Exception {
    othersComeMeanwhile(() -> Thread.currentThread().interrupt());
    assertNull(get(newRead(), 0, 0, PART));
    assertTrue(Thread.interrupted());
    for (FutureTask<PageBytes> other : others) {
      assertNull(other.get());
    }
    assertEquals(0, metrics.errors());
    assertNothingCached();
  }

  @Test
  public void get_readerWhoWaitsIsInterrupted_goesToTheReplicaAndTheOthersGetIt()
      throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    List<Boolean> interrupted = new ArrayList<>();
    othersComeMeanwhile(() -> {
      ReadThrough read = newRead();
      Thread impatient = new Thread(() -> {
        Thread.currentThread().interrupt();
        assertNull(get(read, 0, 0, 512));
        interrupted.add(Thread.interrupted());
        isOver.countDown();
      });
      impatient.start();
      await(isOver);
    });
    getRight(newRead(), 0, 0, 512);
    assertEquals(List.of(true), interrupted);
    for (FutureTask<PageBytes> other : others) {
      other.get().close();
    }
    assertEquals(PART, replica.dataRead());
  }

  @Test
  public void get_randomReaders_allGetRightBytesAndBuffersAreGivenBack() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    // As every reader does: without one, an entry goes with its last page.
    assertTrue(block.addReader());
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Random random = new Random(seed + i);
      ReadThrough read = newRead();
      tasks.add(() -> {
        for (int n = 0; n < 60; n++) {
          readRandomly(read, random);
        }
        return null;
      });
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
    awaitWritten();
    assertEquals(0, metrics.errors());
    for (int page = 0; page < 3; page++) {
      assertCached(page, block.parts(page));
    }
    // Whatever was removed last, the next read from a disk brings it back. By now the volume may pass
    // for the OS page cache, so fast were its reads.
    useBusyDisk();
    getRight(newRead(), 0, 0, PART);
    awaitWritten();
    assertTrue("something was cached", block.pages() > 0);
    block.removeReader();
  }

  private void readRandomly(ReadThrough read, Random random) throws IOException {
    int page = random.nextInt(3);
    int length = block.layout().dataLength(page);
    int from = random.nextInt(length / 512) * 512;
    int to = Math.min(length, from + (1 + random.nextInt(300)) * 512);
    int wanted = to + random.nextInt(length - to + 1);
    try (PageBytes bytes = read.get(block, page, from, to, wanted)) {
      if (bytes != null) {
        assertRight(bytes, page, from, to);
      }
    }
    if (random.nextInt(10) == 0) {
      ssd.directory().pages().removePage(block.fileId(), page);
    }
  }
}
