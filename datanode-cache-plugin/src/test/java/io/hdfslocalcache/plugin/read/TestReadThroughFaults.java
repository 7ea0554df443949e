/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.fill.Volume;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Test;

/** Whatever fails, the reader is told to go on from the replica, and nothing wrong is cached. */
public class TestReadThroughFaults extends ReadThroughFixture {

  private void assertOnlyError(Operation operation, ErrorCause cause) {
    assertEquals(1, metrics.errors(operation, cause));
    assertEquals(1, metrics.errors());
  }

  private void damageReplica(long position) throws IOException {
    try (FileChannel file = FileChannel.open(replica.blockFile(), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(
          new byte[] {(byte) ~replica.data()[(int) position]}), position);
    }
  }

  @Test
  public void get_damagedReplica_cachesNothingAndTriesNoMore() throws IOException {
    damageReplica(PART + 100);
    ReadThrough.MissedParts read = newRead();
    assertNull(read.get(0, 0, 512, PAGE));
    assertOnlyError(Operation.FILL_VERIFY, ErrorCause.DAMAGED);
    long before = replica.dataRead();
    assertNull(get(read, 1, 0, 512));
    assertEquals(before, replica.dataRead());
    assertNothingCached();
  }

  @Test
  public void get_replicaWasContinuedMeanwhile_isNoError() throws IOException {
    damageReplica(100);
    replicas.afterOpen(replicas::change);
    assertNull(get(newRead(), 0, 0, 512));
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_STALE));
    assertEquals(0, metrics.errors());
    assertNothingCached();
  }

  @Test
  public void get_replicaCannotBeOpened_isCounted() throws IOException {
    replicas.afterOpen(() -> {
      throw new IOException("the disk is gone");
    });
    assertNull(get(newRead(), 0, 0, 512));
    assertOnlyError(Operation.FILL_READ, ErrorCause.IO);
    assertNothingCached();
  }

  @Test
  public void get_replicaGone_isNoError() throws IOException {
    replicas.afterOpen(() -> {
      replicas.change();
      throw new IOException("no such replica");
    });
    assertNull(get(newRead(), 0, 0, 512));
    assertEquals(0, metrics.errors());
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_STALE));
  }

  @Test
  public void get_replicaShorterThanItsLength_isCounted() throws IOException {
    try (FileChannel file = FileChannel.open(replica.blockFile(), StandardOpenOption.WRITE)) {
      file.truncate(PART + 5);
    }
    ReadThrough.MissedParts read = newRead();
    getRight(read, 0, 0, 512);
    assertNull(get(read, 0, PART, PART + 512));
    assertOnlyError(Operation.FILL_READ, ErrorCause.IO);
    awaitWritten();
    assertCached(0, 0b1);
  }

  @Test
  public void get_unexpectedException_isCountedAndNotThrown() throws IOException {
    replicas.afterRead(() -> {
      throw new IllegalStateException("a bug");
    });
    assertNull(get(newRead(), 0, 0, 512));
    assertOnlyError(Operation.FILL_READ, ErrorCause.INTERNAL);
    assertNothingCached();
  }

  @Test
  public void get_datasetFailsWhenAskedAboutAnError_isCountedAndNotThrown() throws IOException {
    replicas.afterRead(() -> {
      replicas.failFromNowOn();
      throw new IOException("the disk is gone");
    });
    assertNull(get(newRead(), 0, 0, 512));
    assertOnlyError(Operation.FILL_READ, ErrorCause.INTERNAL);
    assertNothingCached();
  }

  @Test
  public void get_interrupted_isNoErrorAndStaysInterrupted() throws IOException {
    replicas.afterRead(() -> Thread.currentThread().interrupt());
    assertNull("read in this thread, for all was asked for", get(newRead(), 0, 0, PART));
    assertTrue(Thread.interrupted());
    assertEquals(0, metrics.errors());
    assertNothingCached();
  }

  @Test
  public void get_interruptedWhileAThreadOfTheVolumeReads_goesOnAndTheVisitFills()
      throws IOException {
    Thread reader = Thread.currentThread();
    CountDownLatch hasGoneOn = new CountDownLatch(1);
    replicas.afterRead(() -> {
      reader.interrupt();
      await(hasGoneOn);
    });
    assertNull(get(newRead(), 0, 0, 512));
    assertTrue(Thread.interrupted());
    hasGoneOn.countDown();
    awaitFilled(0b1);
    assertEquals(0, metrics.errors());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A visit's thread may begin only after its reader has gone on. */
  private void awaitRead(int bytes) {
    LocalCacheCluster.await("the visit has read", () -> replica.dataRead() == bytes);
  }

  private void awaitFilled(int parts) throws IOException {
    LocalCacheCluster.await("filled", () -> block.parts(0) == parts);
    awaitWritten();
    assertCached(0, parts);
  }

  /** As with a bad sector in bytes that the client did not ask for. */
  @Test
  public void get_restOfThePartHangs_readerGoesOnAndTheNextOnesDoNotTry() throws IOException {
    CountDownLatch released = new CountDownLatch(1);
    replicas.afterRead(() -> await(released));
    budgetNanos = TimeUnit.MILLISECONDS.toNanos(50);
    ReadThrough.MissedParts read = newRead();
    assertNull(get(read, 0, 0, 512));
    assertTrue(read.budget().isOverdrawn());
    awaitRead(PART);
    budgetNanos = TimeUnit.MINUTES.toNanos(2);
    assertNull("reads just what it wants", get(newRead(), 0, 1024, 2048));
    assertEquals(PART, replica.dataRead());
    replicas.afterRead(() -> { });
    getRight(newRead(), 0, PART, PART + 512);
    assertEquals("other parts are read through", 2 * PART, replica.dataRead());
    read.close();
    released.countDown();
    awaitFilled(0b11);
    assertEquals(0, metrics.errors());
  }

  @Test
  public void begin_visitOfACachedPartHangs_isReadFromTheSsd() throws IOException {
    ssd.cacheParts(replica, block, 0, 0, 0);
    CountDownLatch released = new CountDownLatch(1);
    replicas.afterRead(() -> await(released));
    budgetNanos = TimeUnit.MILLISECONDS.toNanos(50);
    assertNull(get(newRead(), 0, 0, PART + 512));
    awaitRead(2 * PART);
    try (PageBytes bytes = fetches.await(
        fetches.begin(ssd.directory(), block, 0, 0, 512, 512), 0, 512, Budgets.ample())) {
      assertEquals(PageBytes.Origin.SSD, bytes.origin());
      assertRight(bytes, 0, 0, 512);
    }
    released.countDown();
    awaitFilled(0b11);
  }

  @Test
  public void get_readEndsBeforeItsVisit_isFilledAllTheSame() throws IOException {
    CountDownLatch released = new CountDownLatch(1);
    replicas.afterRead(() -> await(released));
    budgetNanos = TimeUnit.MILLISECONDS.toNanos(50);
    ReadThrough.MissedParts read = newRead();
    assertTrue(block.addReader());
    assertNull(get(read, 0, 0, 512));
    awaitRead(PART);
    read.close();
    // The last reader leaves while no page is there.
    block.removeReader();
    released.countDown();
    awaitFilled(0b1);
    assertEquals(0, metrics.errors());
  }

  @Test
  public void get_allThreadsOfTheVolumeAreHeld_readerGoesOnAtOnce() throws IOException {
    CountDownLatch released = new CountDownLatch(1);
    for (int i = 0; i < Volume.MOST_VISITS; i++) {
      volume.visit(() -> await(released));
    }
    assertNull(get(newRead(), 0, 0, 512));
    assertEquals(0, replica.dataRead());
    getRight(newRead(), 0, 0, PART);
    released.countDown();
    assertEquals(0, metrics.errors());
    awaitWritten();
  }

  @Test
  public void get_allThreadsOfABusyVolumeAreHeld_restOfThePageIsLeft() throws IOException {
    useBusyDisk();
    ssd.cacheParts(replica, block, 0, 0, 0);
    CountDownLatch begun = new CountDownLatch(Volume.MOST_VISITS);
    CountDownLatch released = new CountDownLatch(1);
    for (int i = 0; i < Volume.MOST_VISITS; i++) {
      volume.visit(() -> {
        begun.countDown();
        await(released);
      });
    }
    await(begun);
    getRight(newRead(), 0, PART, 2 * PART);
    assertEquals(PART, replica.dataRead());
    released.countDown();
    awaitFilled(0b11);
  }

  @Test
  public void get_ssdCannotBeWritten_isSentAndCounted() throws IOException {
    for (int i = 0; i < 10; i++) {
      // A directory where the next file would be.
      Files.createDirectories(ssd.temporary().resolve(String.valueOf(i)));
    }
    getRight(newRead(), 0, 0, 512);
    assertNothingCached();
    assertOnlyError(Operation.PAGE_WRITE, ErrorCause.IO);
  }

  @Test
  public void write_unexpectedException_isCountedAndBuffersAreGivenBack() throws IOException {
    beforeWrite = () -> {
      throw new IllegalStateException("a bug");
    };
    getRight(newRead(), 0, 0, 512);
    assertNothingCached();
    assertOnlyError(Operation.PAGE_WRITE, ErrorCause.INTERNAL);
  }
}
