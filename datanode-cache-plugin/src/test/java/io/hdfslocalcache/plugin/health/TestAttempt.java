/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import org.junit.Test;

public class TestAttempt {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

  private static <T> Attempt<T> attempt(SsdIo.Io<T> io) {
    return new Attempt<>("test", PATIENCE, io);
  }

  @Test
  public void get_fails_itsException() {
    IOException failure = new IOException("broken");
    assertSame(failure, assertThrows(IOException.class, () -> attempt(() -> {
      throw failure;
    }).get()));
    IllegalStateException bug = new IllegalStateException("bug");
    assertSame(bug, assertThrows(IllegalStateException.class,
        () -> attempt(() -> {
          throw bug;
        }).get()));
  }

  @Test
  public void get_noThreadCanBeStarted_isAnErrorOfTheProcess() {
    IOException e = assertThrows(IOException.class,
        () -> new Attempt<>("test", PATIENCE, () -> "never run", NoThread::new).get());
    assertEquals(ErrorCause.PROCESS, ErrorCause.of(e));
  }

  @Test
  public void get_hangs_timeoutAndLateResultIsClosed() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Attempt<Closeable> attempt = new Attempt<>("test", TimeUnit.MILLISECONDS.toNanos(10), () -> {
      try {
        hang.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return closed::countDown;
    });
    SsdTimeoutException e = assertThrows(SsdTimeoutException.class, attempt::get);
    assertEquals("does not answer for 10 ms", e.getMessage());
    hang.countDown();
    assertTrue("late result is closed", closed.await(120, TimeUnit.SECONDS));
  }

  @Test
  public void giveUp_resultIsThere_closed() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Attempt<Closeable> attempt = attempt(() -> closed::countDown);
    attempt.get();
    attempt.giveUp();
    assertEquals(0, closed.getCount());
  }
}
