/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.time.TimeAndThreads;

/** The thread that writes the trace. */
final class TraceWriter implements Closeable {

  /** Reads of one DataNode in some tenths of a second. */
  private static final int WAITING = 1 << 14;
  /** The most that is lost when the DataNode is killed. */
  private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** Characters that are compressed together. */
  private static final int CHUNK = 1 << 15;

  private final TraceConfig config;
  private final String datanodeUuid;
  private final Sample sample;
  private final LongConsumer written;
  private final BiConsumer<TraceWriter, Throwable> failed;
  private final BlockingQueue<TracedRead> waiting = new ArrayBlockingQueue<>(WAITING);
  private final StringBuilder lines = new StringBuilder();
  private final Anonymizer anonymizer;
  private final Thread thread;
  private volatile boolean closing;

  /**
   * Starts the thread.
   *
   * @param sample the blocks whose reads are traced
   * @param anonymous whether names of blocks and readers are replaced
   * @param written is told the bytes of all files after each write
   * @param failed is called once if the files cannot be written
   */
  TraceWriter(TraceConfig config, String datanodeUuid, Sample sample, boolean anonymous,
      LongConsumer written, BiConsumer<TraceWriter, Throwable> failed) {
    this.config = config;
    this.datanodeUuid = datanodeUuid;
    this.sample = sample;
    this.written = written;
    this.failed = failed;
    this.anonymizer = anonymous ? new Anonymizer() : null;
    this.thread = TimeAndThreads.get().newThread("local-cache-trace", this::run);
    thread.start();
  }

  /** @return the blocks whose reads are traced. */
  Sample sample() {
    return sample;
  }

  /** @return whether names of blocks and readers are replaced. */
  boolean isAnonymous() {
    return anonymizer != null;
  }

  /** @return whether the read will be written; false if too many wait already. */
  boolean offer(TracedRead read) {
    return waiting.offer(read);
  }

  private void run() {
    try (TraceFiles files = new TraceFiles(config, datanodeUuid)) {
      write(files);
    } catch (IOException | RuntimeException | Error e) {
      failed.accept(this, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(TraceFiles files) throws IOException, InterruptedException {
    long flushed = TimeAndThreads.get().nanoTime();
    while (true) {
      // Checked before the queue, so that reads added before close() are not left in it.
      boolean last = closing;
      TracedRead read = TimeAndThreads.get().poll(waiting, last ? 0 : POLL_NANOS);
      if (read != null) {
        (anonymizer == null ? read : anonymizer.rename(read)).appendTo(lines);
      }
      boolean isOver = last && read == null;
      if (lines.length() > CHUNK || isOver || TimeAndThreads.get().nanoTime() - flushed > FLUSH_NANOS) {
        flush(files);
        flushed = TimeAndThreads.get().nanoTime();
      }
      if (isOver) {
        return;
      }
    }
  }

  private void flush(TraceFiles files) throws IOException {
    if (lines.length() > 0) {
      files.write(lines);
      lines.setLength(0);
      written.accept(files.totalBytes());
    }
  }

  /** Ends the thread when it has written all waiting reads, or after some seconds. */
  @Override
  public void close() {
    closing = true;
    try {
      TimeAndThreads.get().join(thread, CLOSE_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
