/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.metrics.Operation;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class TestSsdIo {

  private static final int THREADS = 4;

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final CountDownLatch released = new CountDownLatch(1);
  private final ExecutorService readers = Executors.newCachedThreadPool();
  private SsdHealth health;
  private SsdIo io;

  private void open(long deadlineMillis) {
    HealthLimits limits = new HealthLimits(
        TimeUnit.MILLISECONDS.toNanos(deadlineMillis), TimeUnit.SECONDS.toNanos(10));
    health = new SsdHealth(limits, System::nanoTime, (before, now, reason) -> { });
    io = new SsdIo("test", THREADS, limits, health);
  }

  @After
  public void close() {
    released.countDown();
    readers.shutdownNow();
    io.close();
  }

  /** As a read of an SSD that hangs. */
  private <T> T hang(T result) throws IOException {
    try {
      released.await();
      return result;
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  public void await_fails_throwsTheError() {
    open(30_000);
    IOException error = new IOException("Input/output error");
    assertSame(error, assertThrows(IOException.class, () -> io.await(Operation.PAGE_READ, () -> {
      throw error;
    })));
    assertEquals("whoever asked decides what it means", SsdState.NORMAL, health.state());
  }

  @Test
  public void await_bug_throwsAnIOException() {
    open(30_000);
    IOException error = assertThrows(IOException.class, () -> io.await(Operation.PAGE_READ, () -> {
      throw new IllegalStateException("a bug");
    }));
    assertTrue(error.getCause() instanceof IllegalStateException);
  }

  @Test
  public void await_hangs_givesUpAndTheSsdIsDown() {
    open(50);
    assertThrows(SsdTimeoutException.class,
        () -> io.await(Operation.PAGE_READ, () -> hang("late")));
    while (health.state() == SsdState.NORMAL) {
      // If the thread began much later than its reader to wait, it hangs a bit later, too.
      io.check();
    }
    assertEquals(SsdState.DOWN, health.state());
    AtomicInteger asked = new AtomicInteger();
    assertThrows(SsdUnavailableException.class,
        () -> io.await(Operation.PAGE_READ, asked::incrementAndGet));
    assertEquals("a sick SSD is left alone", 0, asked.get());
  }

  @Test
  public void await_readerInterrupted_givesUpAndTheSsdIsAsGoodAsBefore() {
    open(30_000);
    Thread.currentThread().interrupt();
    assertThrows(SsdUnavailableException.class,
        () -> io.await(Operation.PAGE_READ, () -> hang("late")));
    assertTrue(Thread.interrupted());
    assertEquals(SsdState.NORMAL, health.state());
  }

  @Test
  public void await_closed_isUnavailable() {
    open(30_000);
    io.close();
    assertThrows(SsdUnavailableException.class, () -> io.await(Operation.PAGE_READ, () -> ""));
  }

  @Test
  public void check_oneOfTwoNestedReturned_ssdIsDown() throws Exception {
    open(10);
    Future<?> write = readers.submit(() -> io.watch(Operation.RESTORE, () -> {
      io.watch(Operation.PAGE_DELETE, () -> "");
      return hang("");
    }));
    while (health.state() == SsdState.NORMAL) {
      io.check();
      Thread.sleep(1);
    }
    assertEquals(SsdState.DOWN, health.state());
    released.countDown();
    write.get();
  }

  @Test
  public void check_writeReturned_isForgotten() throws Exception {
    open(10);
    assertEquals("", io.watch(Operation.PAGE_WRITE, () -> ""));
    Thread.sleep(150);
    io.check();
    assertFalse(health.state() == SsdState.DOWN);
  }
}
