/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Has the kernel map in pages of the mappings of one SSD's files, by a system call that reads them:
 * it writes their bytes into a pipe. Were they read by Java code, an SSD that fails in that moment
 * would end the process, and one that hangs would hold up all threads at the next safepoint. So the
 * one is an error of the call, and the other holds this thread only.
 */
final class PageToucher implements Closeable {

  /** Bytes in one call, which takes no more vectors; by far no more than an empty pipe takes. */
  private static final int BATCH = 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final ByteBuffer drain = ByteBuffer.allocateDirect(BATCH);
  private Pipe pipe;
  private volatile boolean closed;

  /**
   * Touches bytes of mappings. Never waits for another thread that does so.
   *
   * @return whether they were touched; false if another thread is at it
   * @throws IOException if the SSD fails, or the thread is interrupted, which closes what it uses
   */
  boolean touch(ByteBuffer[] bytes) throws IOException {
    if (closed || !lock.tryLock()) {
      return false;
    }
    try {
      for (int from = 0; from < bytes.length; from += BATCH) {
        touch(bytes, from, Math.min(BATCH, bytes.length - from));
      }
      return true;
    } catch (IOException e) {
      closePipe();
      throw e;
    } finally {
      if (closed) {
        closePipe();
      }
      lock.unlock();
    }
  }

  private void touch(ByteBuffer[] bytes, int from, int count) throws IOException {
    if (pipe == null) {
      pipe = Pipe.open();
    }
    for (int i = from; i < from + count;) {
      long written = pipe.sink().write(bytes, i, from + count - i);
      drain.clear().limit((int) written);
      while (drain.hasRemaining()) {
        pipe.source().read(drain);
      }
      i += (int) written;
    }
  }

  private void closePipe() throws IOException {
    if (pipe != null) {
      try (var sink = pipe.sink(); var source = pipe.source()) {
        pipe = null;
      }
    }
  }

  /** Closes the pipe, at once or when the thread that uses it is done: it may hang with its SSD. */
  @Override
  public void close() throws IOException {
    closed = true;
    if (lock.tryLock()) {
      try {
        closePipe();
      } finally {
        lock.unlock();
      }
    }
  }
}
