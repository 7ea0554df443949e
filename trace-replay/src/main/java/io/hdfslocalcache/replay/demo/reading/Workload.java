/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.reading;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

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
}
