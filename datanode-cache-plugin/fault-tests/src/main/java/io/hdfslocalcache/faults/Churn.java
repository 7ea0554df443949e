/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.util.Daemon;

/** Creates files, reads them, which fills pages, and deletes them, which removes the pages. */
final class Churn implements Closeable {

  private static final int KEPT = 3;
  private static final int LENGTH = 200_000;
  private static final int READS = 3;

  private final LocalCacheCluster cluster;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Daemon thread = new Daemon(this::goOn);
  private volatile boolean stopped;
  private volatile int rounds;

  Churn(LocalCacheCluster cluster) {
    this.cluster = cluster;
    thread.setName("fault-test-churn");
    thread.start();
  }

  private void goOn() {
    Deque<String> files = new ArrayDeque<>();
    try {
      while (!stopped) {
        String name = "/churn/" + rounds++;
        byte[] bytes = cluster.write(name, LENGTH);
        files.add(name);
        for (int i = 0; i < READS; i++) {
          readAndCompare(name, bytes);
        }
        if (files.size() > KEPT) {
          cluster.fs().delete(new org.apache.hadoop.fs.Path(files.remove()), false);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.set(e);
    }
  }

  private void readAndCompare(String name, byte[] expected) throws IOException {
    byte[] bytes = new byte[expected.length];
    try (var in = cluster.fs().open(new org.apache.hadoop.fs.Path(name))) {
      in.readFully(bytes);
    }
    if (!Arrays.equals(expected, bytes)) {
      throw new AssertionError("wrong bytes in " + name);
    }
  }

  /** @return files created so far. */
  int rounds() {
    return rounds;
  }

  /** @return what went wrong, or null. */
  Throwable failure() {
    return failure.get();
  }

  @Override
  public void close() throws IOException {
    stopped = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(60));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IOException("no end: " + Arrays.toString(thread.getStackTrace()));
    }
  }
}
