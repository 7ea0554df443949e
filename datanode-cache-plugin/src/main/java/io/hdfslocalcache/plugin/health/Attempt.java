/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.IOUtils;

/**
 * One operation in its own thread, on an SSD whose state is not known yet and which may hang the
 * thread. A result that comes too late is closed.
 */
public final class Attempt<T> {

  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final long patienceNanos;
  private final long deadline;

  /**
   * Begins the operation.
   *
   * @param thread name of the thread
   * @param patienceNanos how long to wait for it, from now on
   */
  public Attempt(String thread, long patienceNanos, SsdIo.Io<T> io) {
    this(thread, patienceNanos, io, TimeAndThreads.get()::newThread);
  }

  /** The same. @param threads creates the thread */
  Attempt(String thread, long patienceNanos, SsdIo.Io<T> io, ThreadFactory threads) {
    this.patienceNanos = patienceNanos;
    this.deadline = TimeAndThreads.get().nanoTime() + patienceNanos;
    try {
      Thread daemon = threads.newThread(() -> run(io));
      daemon.setName(thread);
      daemon.start();
    } catch (RuntimeException | Error e) {
      // No thread can be started: that is the result.
      result.completeExceptionally(e);
    }
  }

  private void run(SsdIo.Io<T> io) {
    try {
      T value = io.run();
      if (!result.complete(value)) {
        close(value);
      }
    } catch (IOException | RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private static void close(Object value) {
    if (value instanceof Closeable) {
      IOUtils.closeStream((Closeable) value);
    }
  }

  /**
   * Waits for the end.
   *
   * @throws SsdTimeoutException if it did not end in time; nobody can wait for it again
   * @throws IOException if it failed
   */
  public T get() throws IOException {
    try {
      return TimeAndThreads.get().get(
          result, Math.max(1, deadline - TimeAndThreads.get().nanoTime()));
    } catch (TimeoutException e) {
      giveUp();
      throw new SsdTimeoutException("does not answer for "
          + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp();
      throw new SsdTimeoutException("interrupted");
    }
  }

  /** Gives up. A result that is already there is closed. */
  public void giveUp() {
    if (!result.cancel(false) && !result.isCompletedExceptionally()) {
      close(result.join());
    }
  }
}
