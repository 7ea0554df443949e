/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.hdfslocalcache.plugin.memory.BoundedCount;
import io.hdfslocalcache.time.TimeAndThreads;

/** Parts read from replicas that wait in memory to be written to one SSD. */
public final class WriteQueue implements Closeable {

  private final ThreadPoolExecutor threads;
  private final BoundedCount waiting;

  /**
   * @param threads writes at a time
   * @param limit most bytes that may wait
   */
  WriteQueue(int threads, long limit) {
    this.waiting = new BoundedCount(limit);
    this.threads = TimeAndThreads.get().newPool("local-cache-write-", threads);
  }

  /**
   * Queues a write. Returns at once.
   *
   * @return false if the queue is full: it will not be written
   */
  public boolean submit(Write write) {
    if (!waiting.take(write.bytes)) {
      write.drop();
      return false;
    }
    write.waiting = waiting;
    try {
      threads.execute(write);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be started. Left in the queue, it would wait for the next thread.
      threads.remove(write);
      write.drop();
    }
    return true;
  }

  /** Changes how many bytes may wait. */
  void setLimit(long bytes) {
    waiting.setBound(bytes);
  }

  /** @return whether a write of this size would be accepted now. */
  public boolean hasRoom(int bytes) {
    return waiting.used() + bytes <= waiting.bound();
  }

  /** @return bytes waiting or being written. */
  public long waitingBytes() {
    return waiting.used();
  }

  /** Stops the running writes and drops the waiting ones. */
  @Override
  public void close() {
    threads.shutdownNow().forEach(task -> ((Write) task).drop());
  }

  /** Waits for the running writes for a while. */
  void awaitEnd(int seconds) {
    try {
      TimeAndThreads.get().awaitTermination(threads, TimeUnit.SECONDS.toNanos(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A write. It is either written or dropped. */
  public static final class Write implements Runnable {
    private final int bytes;
    private final Runnable write;
    private final Runnable end;
    private final AtomicBoolean taken = new AtomicBoolean();
    /** The count that includes it; null: none yet. */
    private volatile BoundedCount waiting;

    /**
     * @param bytes of its memory
     * @param write writes it; must not throw
     * @param end called once, when it is written or dropped
     */
    public Write(int bytes, Runnable write, Runnable end) {
      this.bytes = bytes;
      this.write = write;
      this.end = end;
    }

    @Override
    public void run() {
      if (taken.compareAndSet(false, true)) {
        try {
          write.run();
        } finally {
          end();
        }
      }
    }

    /** Drops the write. */
    public void drop() {
      if (taken.compareAndSet(false, true)) {
        end();
      }
    }

    private void end() {
      try {
        end.run();
      } finally {
        if (waiting != null) {
          waiting.give(bytes);
        }
      }
    }
  }
}
