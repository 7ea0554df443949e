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

/** What was read from replicas, and waits to be written to one SSD. It is in memory meanwhile. */
public final class WriteQueue implements Closeable {

  private final ThreadPoolExecutor threads;
  private final BoundedCount waiting;

  /**
   * @param threads writes at a time
   * @param limit bytes that may wait
   */
  WriteQueue(int threads, long limit) {
    this.waiting = new BoundedCount(limit);
    this.threads = TimeAndThreads.get().newPool("local-cache-write-", threads);
  }

  /**
   * Has something written. Returns at once.
   *
   * @return false if too much waits: it will not be written
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
      // Closed, or no thread can be started. If there is none, it would wait for the next.
      threads.remove(write);
      write.drop();
    }
    return true;
  }

  /** @return whether nothing more would be refused, as far as is known. */
  public boolean hasRoom(int bytes) {
    return waiting.used() + bytes <= waiting.bound();
  }

  /** @return bytes that wait or are being written. */
  public long waitingBytes() {
    return waiting.used();
  }

  /** Stops the running writes and forgets the waiting ones. */
  @Override
  public void close() {
    threads.shutdownNow().forEach(task -> ((Write) task).drop());
  }

  /** Waits for the running ones, for a while. */
  void awaitEnd(int seconds) {
    try {
      TimeAndThreads.get().awaitTermination(threads, TimeUnit.SECONDS.toNanos(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Something to be written. It is written or dropped, and not both. */
  public static final class Write implements Runnable {
    private final int bytes;
    private final Runnable write;
    private final Runnable end;
    private final AtomicBoolean taken = new AtomicBoolean();
    /** Where it is counted; null: nowhere yet. */
    private volatile BoundedCount waiting;

    /**
     * @param bytes of memory that it holds
     * @param write writes it; must not throw
     * @param end called once, when it is written or will not be
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

    /** Will not be written. */
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
