/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.replay.demo.VerifyingReader.Tally;
import io.hdfslocalcache.replay.demo.VerifyingReader.WrongByteException;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.hadoop.fs.FileSystem;

/**
 * Readers that go on until they are stopped or one of them fails. Each has a client of its own, as
 * if it were a process of its own.
 */
public final class Workload implements Closeable {

  private static final long PATIENCE_MS = TimeUnit.MINUTES.toMillis(1);

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private volatile boolean stopped;

  /** Makes a client. */
  @FunctionalInterface
  public interface ClientFactory {

    /** @return a client that nobody else has; closed by whoever asked for it. */
    FileSystem newClient() throws IOException;
  }

  /**
   * Starts the readers.
   *
   * @param files what they read, the most popular file first
   * @param readers how many
   * @param tally counts what they read
   */
  public Workload(ClientFactory clients, List<SourceFile> files, int readers, Tally tally) {
    for (int i = 0; i < readers; i++) {
      ReadMix mix = new ReadMix(files, i);
      Thread thread = new Thread(() -> run(clients, mix, tally), "reader-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void run(ClientFactory clients, ReadMix mix, Tally tally) {
    try (FileSystem client = clients.newClient()) {
      VerifyingReader reader = new VerifyingReader(client, tally);
      while (!stopped) {
        mix.readNext(reader);
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
      stopped = true;
    }
  }

  /**
   * Tells whether all is well so far.
   *
   * @throws IOException what the first reader failed with, {@link WrongByteException} included
   */
  public void check() throws IOException {
    Exception first = failure.get();
    if (first instanceof IOException io) {
      throw io;
    } else if (first != null) {
      throw new IOException("a reader failed: " + first, first);
    }
  }

  /** Stops the readers as {@link #close}, and tells as {@link #check} whether all was well. */
  public void stop() throws IOException {
    close();
    check();
  }

  /** Stops the readers after the reads they are at. */
  @Override
  public void close() throws IOException {
    stopped = true;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    for (Thread thread : threads) {
      try {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, left));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (thread.isAlive()) {
        throw new IOException(thread.getName() + " did not end within " + PATIENCE_MS + " ms");
      }
    }
  }

  /**
   * What one client reads next: which file is left to Zipf's law, and of it a small range in most
   * cases, a part from the middle in some, the whole in few. For one thread.
   */
  static final class ReadMix {

    /** Skew of popularity; data lakes and block stores are found around it. */
    private static final double EXPONENT = 1.1;
    private static final int PERCENT_RANGES = 60;
    private static final int PERCENT_PARTS = 25;
    private static final int MIN_RANGE = 1 << 10;
    private static final int MAX_RANGE = 64 << 10;
    private static final int MAX_PART = 1 << 20;

    private final List<SourceFile> files;
    private final RandomGenerator random;
    private final ZipfDistribution rank;

    /**
     * Plans reads.
     *
     * @param files the most popular one first
     * @param seed the same seed gives the same reads
     */
    ReadMix(List<SourceFile> files, int seed) {
      this.files = files;
      this.random = new Well19937c(seed);
      this.rank = new ZipfDistribution(random, files.size(), EXPONENT);
    }

    /** Does the next read. */
    void readNext(VerifyingReader reader) throws IOException {
      SourceFile file = files.get(rank.sample() - 1);
      int percent = random.nextInt(100);
      if (percent < PERCENT_RANGES) {
        int length = (int) Math.min(file.length(), between(MIN_RANGE, MAX_RANGE));
        reader.readRange(file, between(0, file.length() - length), length);
      } else if (percent < PERCENT_RANGES + PERCENT_PARTS) {
        long length = Math.min(file.length(), between(1, MAX_PART));
        reader.readPart(file, between(0, file.length() - length), length);
      } else {
        reader.readAll(file);
      }
    }

    /** A random number, both ends included. */
    private long between(long min, long max) {
      return min + (long) (random.nextDouble() * (max - min + 1));
    }
  }
}
