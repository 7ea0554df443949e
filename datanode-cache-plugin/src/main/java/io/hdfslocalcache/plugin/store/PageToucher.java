/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.locks.ReentrantLock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the kernel map in pages of a mapping, by a system call that reads them: it writes their bytes
 * into a pipe. Were they read by Java code, an SSD that fails in that moment would end the process,
 * and one that hangs would hold up all threads at the next safepoint. So the one is an error of the
 * call, and the other holds this thread only.
 */
final class PageToucher {

  private static final Logger LOG = LoggerFactory.getLogger(PageToucher.class);
  /** Bytes in one call: no more than its vectors, and by far no more than an empty pipe takes. */
  private static final int BATCH = 1024;
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final ByteBuffer DRAIN = ByteBuffer.allocateDirect(BATCH);
  private static Pipe pipe;

  private PageToucher() {
  }

  /**
   * Touches bytes of mappings. Never waits for another thread that does so.
   *
   * @return whether all were touched
   */
  static boolean touch(ByteBuffer[] bytes) {
    if (!LOCK.tryLock()) {
      return false;
    }
    try {
      for (int from = 0; from < bytes.length; from += BATCH) {
        touch(bytes, from, Math.min(BATCH, bytes.length - from));
      }
      return true;
    } catch (IOException e) {
      // The SSD, or an interrupt of this thread, which closes what it was using.
      LOG.debug("Local cache: mapping in a page", e);
      close();
      return false;
    } finally {
      LOCK.unlock();
    }
  }

  private static void touch(ByteBuffer[] bytes, int from, int count) throws IOException {
    if (pipe == null) {
      pipe = Pipe.open();
    }
    for (int i = from; i < from + count;) {
      long written = pipe.sink().write(bytes, i, from + count - i);
      DRAIN.clear().limit((int) written);
      while (DRAIN.hasRemaining()) {
        pipe.source().read(DRAIN);
      }
      i += (int) written;
    }
  }

  private static void close() {
    if (pipe != null) {
      try (var sink = pipe.sink(); var source = pipe.source()) {
        pipe = null;
      } catch (IOException e) {
        LOG.debug("Local cache: closing a pipe", e);
      }
    }
  }
}
