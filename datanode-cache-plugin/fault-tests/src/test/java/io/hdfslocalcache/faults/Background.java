/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
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

  /** Closes all in turn, also when some fail. @throws IOException the first failure, with others */
  static void closeAll(List<? extends Closeable> all) throws IOException {
    if (!all.isEmpty()) {
      int last = all.size() - 1;
      try (Closeable closedLast = all.get(last)) {
        closeAll(all.subList(0, last));
      }
    }
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

  /** Keeps the OS from having an SSD's files in memory for long: readers meet its faults. */
  static final class CacheDropper extends Background {

    private final Ssd ssd;
    private final long millis;

    CacheDropper(Ssd ssd, long millis) {
      this.ssd = ssd;
      this.millis = millis;
      begin("dropper");
    }

    @Override
    void again() throws IOException {
      try {
        ssd.dropCaches();
      } catch (IOException e) {
        // A file went meanwhile, or the SSD fails.
      }
      pause(millis);
    }
  }

  /**
   * Starts threads and collects garbage all the time, as every JVM does, and takes the time: both
   * wait for a system call that holds the lock of the process's memory.
   */
  static final class JvmWatch extends Background {

    private static final long PERIOD_MILLIS = 50;
    private static final int STARTS_PER_COLLECTION = 40;

    private volatile long longestNanos;
    private int starts;

    JvmWatch() {
      begin("jvm");
    }

    @Override
    void again() throws IOException {
      long begin = System.nanoTime();
      Daemon started = new Daemon(
          () -> longestNanos = Math.max(longestNanos, System.nanoTime() - begin));
      started.start();
      try {
        started.join();
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
      if (++starts % STARTS_PER_COLLECTION == 0) {
        System.gc();
      }
      pause(PERIOD_MILLIS);
    }

    /** @return the longest time that a thread took to start, and forgets it. */
    long takeLongestMillis() {
      long longest = longestNanos;
      longestNanos = 0;
      return TimeUnit.NANOSECONDS.toMillis(longest);
    }
  }

  /** Creates files, reads them, which fills pages, and deletes them, which removes the pages. */
  static final class Churn extends Background {

    private static final int KEPT = 3;
    private static final int LENGTH = 200_000;
    private static final int READS = 3;

    private final LocalCacheCluster cluster;
    private final Deque<String> files = new ArrayDeque<>();
    private volatile int rounds;

    Churn(LocalCacheCluster cluster) {
      this.cluster = cluster;
      begin("churn");
    }

    @Override
    void again() throws IOException {
      String name = "/churn/" + rounds++;
      byte[] bytes = cluster.write(name, LENGTH);
      files.add(name);
      for (int i = 0; i < READS; i++) {
        readAndCompare(cluster, name, bytes);
      }
      if (files.size() > KEPT) {
        cluster.fs().delete(new Path(files.remove()), false);
      }
    }

    /** @return files created so far. */
    int rounds() {
      return rounds;
    }
  }
}
