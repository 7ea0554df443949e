/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Daemon;

/** Clients that read files in all ways, one after another, and compare every byte. */
public final class Readers implements Closeable {

  private static final long CLOSE_SECONDS = 90;

  /** A file and what it must contain. */
  public record Expected(Path path, byte[] bytes) {
  }

  private final FileSystem fs;
  private final List<Expected> files;
  private final List<Daemon> threads;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
  private volatile boolean stopped;

  /** Starts to read. */
  public Readers(FileSystem fs, List<Expected> files, int threads, long seed) {
    this.fs = fs;
    this.files = files;
    this.threads = IntStream.range(0, threads).mapToObj(i -> {
      Daemon thread = new Daemon(() -> readOn(new SplittableRandom(seed * 1009 + i)));
      thread.setName("test-reader-" + i);
      return thread;
    }).toList();
    this.threads.forEach(Thread::start);
  }

  /** Starts to read files that a cluster has, each by its name. */
  public static Readers of(LocalCacheCluster cluster, Map<String, byte[]> files, int threads)
      throws IOException {
    List<Expected> all = files.entrySet().stream()
        .map(file -> new Expected(new Path(file.getKey()), file.getValue())).toList();
    return new Readers(cluster.fs(), all, threads, System.nanoTime());
  }

  /** @throws AssertionError if a read failed, or returned a wrong byte */
  public void assertNoneFailed() {
    if (firstFailure() != null) {
      throw new AssertionError("a read", firstFailure());
    }
  }

  private void readOn(SplittableRandom random) {
    while (!stopped) {
      Expected file = files.get(random.nextInt(files.size()));
      long begin = System.nanoTime();
      try {
        read(file, random);
      } catch (IOException | RuntimeException | Error e) {
        failed.incrementAndGet();
        firstFailure.compareAndSet(null, e);
      }
      longestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
      reads.incrementAndGet();
    }
  }

  private void read(Expected file, SplittableRandom random) throws IOException {
    int length = file.bytes().length;
    try (FSDataInputStream in = fs.open(file.path())) {
      switch (random.nextInt(4)) {
        case 0 -> {
          int from = random.nextInt(length);
          byte[] bytes = new byte[Math.min(1 + random.nextInt(70_000), length - from)];
          in.readFully(from, bytes);
          compare(file, from, bytes);
        }
        case 1 -> {
          // A stateful read asks the DataNode for all of the rest, and leaves early.
          int from = random.nextInt(length);
          byte[] bytes = new byte[Math.min(1 + random.nextInt(20_000), length - from)];
          in.seek(from);
          in.readFully(bytes);
          compare(file, from, bytes);
        }
        default -> {
          byte[] bytes = new byte[length];
          in.readFully(bytes);
          compare(file, 0, bytes);
        }
      }
    }
  }

  private void compare(Expected file, int from, byte[] bytes) {
    bytesRead.addAndGet(bytes.length);
    int at = Arrays.mismatch(
        bytes, 0, bytes.length, file.bytes(), from, from + bytes.length);
    if (at >= 0) {
      wrong.incrementAndGet();
      firstFailure.compareAndSet(
          null, new AssertionError("wrong byte at " + (from + at) + " of " + file.path()));
    }
  }

  /** @return how many read at a time. */
  public int threads() {
    return threads.size();
  }

  /** @return reads that are over. */
  public long reads() {
    return reads.get();
  }

  /** @return bytes that were compared. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** @return reads that failed. */
  public long failed() {
    return failed.get();
  }

  /** @return reads that returned a wrong byte. */
  public long wrong() {
    return wrong.get();
  }

  /** @return the longest time that a read took, from opening the file to closing it. */
  public long longestMillis() {
    return TimeUnit.NANOSECONDS.toMillis(longestNanos.get());
  }

  /** Forgets the longest read until now. */
  public void forgetLongest() {
    longestNanos.set(0);
  }

  /** @return what was wrong first, or null. */
  public Throwable firstFailure() {
    return firstFailure.get();
  }

  /** Stops reading. @throws IOException if a read does not end */
  @Override
  public void close() throws IOException {
    stopped = true;
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
      for (Daemon thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        if (thread.isAlive()) {
          throw new IOException("a read has no end: " + Arrays.toString(thread.getStackTrace()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
