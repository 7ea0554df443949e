/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Daemon;

/** Repeats something while clients read, until it is closed or fails. */
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

  /** The repeated step. */
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

  /** Ends the repetition. For {@link #again}, when all is done. */
  final void end() {
    stopped = true;
  }

  @Override
  public void close() throws IOException {
    end();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IOException("no end: " + Arrays.toString(thread.getStackTrace()));
    }
  }

  /** Keeps dropping an SSD's files from the OS page cache, so that readers meet its faults. */
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
        // A file was deleted meanwhile, or the SSD fails.
      }
      pause(millis);
    }
  }

  /**
   * Starts threads and collects garbage, as every JVM does, and measures how long that takes: both
   * wait while a system call holds the lock of the process's memory.
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

    /** @return the longest time that a thread took to start; resets it. */
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

  /**
   * Files whose pages are on the SSDs and were never read. During a fault, each is read for the
   * first time and deleted: with access times, both need the file system's journal.
   */
  static final class FirstReads extends Background {

    private static final int FILES = 10;
    private static final int LENGTH = 120_000;
    private static final Duration FILL = Duration.ofSeconds(5);

    private final LocalCacheCluster cluster;
    private final String directory = "/first-reads-" + System.nanoTime();
    private final List<byte[]> files = new ArrayList<>();
    private long pauseMillis;
    private int next;

    /** Writes the files, and fills their pages. */
    FirstReads(FaultCluster cluster) throws IOException {
      this.cluster = cluster.cluster();
      for (int i = 0; i < FILES; i++) {
        files.add(this.cluster.write(name(i), LENGTH));
        read(i);
      }
      Wait.until(() -> pages() >= FILES * (LENGTH / LocalCacheCluster.PAGE), FILL, 20);
    }

    private String name(int file) {
      return directory + "/" + file;
    }

    private long pages() throws IOException {
      long pages = 0;
      for (int i = 0; i < FILES; i++) {
        var block = cluster.cached(0, name(i));
        pages += block == null ? 0 : block.pages();
      }
      return pages;
    }

    private void read(int file) throws IOException {
      readAndCompare(cluster, name(file), files.get(file));
    }

    /** The fault has begun, and lasts this long: spreads all reads over this time. */
    void begin(long millis) {
      pauseMillis = millis / (FILES + 2);
      begin("first-reads");
    }

    @Override
    void again() throws IOException {
      read(next);
      cluster.fs().delete(new Path(name(next)), false);
      pause(pauseMillis);
      if (++next == FILES) {
        end();
      }
    }

    @Override
    public void close() throws IOException {
      super.close();
      cluster.fs().delete(new Path(directory), true);
    }
  }
}
