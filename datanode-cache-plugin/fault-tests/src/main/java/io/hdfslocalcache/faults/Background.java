/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Daemon;

/** Does something again and again while clients read, until it is closed or fails. */
abstract class Background implements Closeable {

  private static final long CLOSE_SECONDS = 60;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Daemon thread = new Daemon(this::goOn);
  private volatile boolean stopped;

  /** Begins. For constructors, as the last step. */
  final void begin(String name) {
    thread.setName("fault-test-" + name);
    thread.start();
  }

  private void goOn() {
    try {
      while (!stopped) {
        again();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.set(e);
    }
  }

  /** What is done again and again. */
  abstract void again() throws IOException;

  /** Sleeps, but not once it is closed. */
  final void pause(long millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!stopped && System.nanoTime() < end) {
      Wait.millis(Math.min(millis, 20));
    }
  }

  /** Reads a file, as any client does. @throws AssertionError if it has other bytes */
  static void readAndCompare(LocalCacheCluster cluster, String name, byte[] expected)
      throws IOException {
    byte[] bytes = new byte[expected.length];
    try (var in = cluster.fs().open(new Path(name))) {
      in.readFully(bytes);
    }
    if (!Arrays.equals(expected, bytes)) {
      throw new AssertionError("wrong bytes in " + name);
    }
  }

  /** @return what went wrong, or null. */
  final Throwable failure() {
    return failure.get();
  }

  @Override
  public void close() throws IOException {
    stopped = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IOException("no end: " + Arrays.toString(thread.getStackTrace()));
    }
  }
}
