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

  private static <T> T get(Attempt<T> attempt) throws IOException {
    return attempt.get(System.nanoTime() + PATIENCE, PATIENCE);
  }

  @Test
  public void get_succeeds_result() throws IOException {
    assertEquals("result", get(new Attempt<>("test", () -> "result")));
  }

  @Test
  public void get_fails_itsException() {
    IOException failure = new IOException("broken");
    assertSame(failure, assertThrows(IOException.class, () -> get(new Attempt<>("test", () -> {
      throw failure;
    }))));
    IllegalStateException bug = new IllegalStateException("bug");
    assertSame(bug, assertThrows(IllegalStateException.class,
        () -> get(new Attempt<>("test", () -> {
          throw bug;
        }))));
  }

  @Test
  public void get_noThreadCanBeStarted_isAnErrorOfTheProcess() {
    IOException e = assertThrows(IOException.class,
        () -> get(new Attempt<>("test", () -> "never run", NoThread::new)));
    assertEquals(ErrorCause.PROCESS, ErrorCause.of(e));
  }

  @Test
  public void get_hangs_timeoutAndLateResultIsClosed() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Attempt<Closeable> attempt = new Attempt<>("test", () -> {
      try {
        hang.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return closed::countDown;
    });
    SsdTimeoutException e = assertThrows(SsdTimeoutException.class,
        () -> attempt.get(System.nanoTime(), TimeUnit.SECONDS.toNanos(10)));
    assertEquals("no answer in 10000 ms", e.getMessage());
    hang.countDown();
    assertTrue("late result is closed", closed.await(120, TimeUnit.SECONDS));
  }

  @Test
  public void giveUp_resultIsThere_closed() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Attempt<Closeable> attempt = new Attempt<>("test", () -> closed::countDown);
    get(attempt);
    attempt.giveUp();
    assertEquals(0, closed.getCount());
  }
}
