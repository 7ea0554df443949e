/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.util.DirectBufferPool;

/**
 * Buffers outside the heap, aligned for direct I/O, for what is read from an SSD or written to it.
 * All that are in use at a time are bounded, so that many slow readers cannot use up the memory of
 * the JVM; whoever gets none does without the local cache. Idle ones are reused until the garbage
 * collector wants them.
 */
public final class BufferPool {

  private static final int SMALLEST = 4 * PageLayout.ALIGNMENT;

  private final DirectBufferPool idle = new DirectBufferPool();
  private final AtomicLong inUse = new AtomicLong();
  private final long limit;

  /** @param limit bytes that buffers in use may take in all */
  public BufferPool(long limit) {
    this.limit = limit;
  }

  /**
   * A pool for a DataNode: an eighth of what the JVM may take outside the heap, which is as much as
   * the heap may take unless it is told otherwise.
   *
   * @param pageSize bytes of data in a page; the pool has room for 16 pages at least
   */
  public static BufferPool ofJvm(int pageSize) {
    return new BufferPool(Math.max(32L * pageSize, Runtime.getRuntime().maxMemory() / 8));
  }

  /** @return a buffer of so many bytes, to be closed, or null if there is no memory for it. */
  public Buffer take(int bytes) {
    int capacity = rounded(bytes);
    if (inUse.addAndGet(capacity) > limit) {
      inUse.addAndGet(-capacity);
      return null;
    }
    try {
      return new Buffer(idle.getBuffer(capacity + PageLayout.ALIGNMENT), capacity, bytes);
    } catch (OutOfMemoryError e) {
      // Others have taken what the JVM may have outside the heap: no fault of an SSD.
      inUse.addAndGet(-capacity);
      return null;
    } catch (RuntimeException | Error e) {
      inUse.addAndGet(-capacity);
      throw e;
    }
  }

  /** @return bytes that buffers in use may take in all. */
  public long limitBytes() {
    return limit;
  }

  /** @return bytes of the buffers that are in use now. */
  public long inUseBytes() {
    return inUse.get();
  }

  /** Few sizes, so that buffers are found again; quarters, so that little of them is unused. */
  private static int rounded(int bytes) {
    int quarter = Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, bytes - 1)) >> 2);
    return (bytes + quarter - 1) / quarter * quarter;
  }

  /** A buffer that somebody uses. Closed once, by one thread. */
  public final class Buffer implements Closeable {

    private final ByteBuffer base;
    private final int capacity;
    private final ByteBuffer bytes;

    private Buffer(ByteBuffer base, int capacity, int length) {
      this.base = base;
      this.capacity = capacity;
      this.bytes = base.alignedSlice(PageLayout.ALIGNMENT).slice(0, length);
    }

    /** @return the bytes that were asked for. */
    public ByteBuffer bytes() {
      return bytes;
    }

    @Override
    public void close() {
      inUse.addAndGet(-capacity);
      idle.returnBuffer(base);
    }
  }
}
