/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.Closeable;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buffers in direct memory, aligned for direct I/O, for reading and writing SSDs. The buffers in
 * use are bounded, so that many slow readers cannot use up the memory of the JVM; a read that gets
 * none uses the data volume. Idle buffers are reused until the garbage collector frees them.
 *
 * <p>If the JVM has no direct memory left, allocating a buffer costs a full garbage collection and
 * half a second, and fails anyhow. So a buffer is allocated only while there is room; else the
 * pool's own thread tries from time to time, and nobody waits for it.
 */
public final class BufferPool {

  private static final Logger LOG = LoggerFactory.getLogger(BufferPool.class);
  private static final int SMALLEST = PageLayout.ALIGNMENT;
  /** Time between two attempts that trigger a garbage collection. */
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final BufferPoolMXBean JVM =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct")).findFirst().orElseThrow();
  private static final long MOST_OF_JVM = mostOfJvm();

  private final Map<Integer, Queue<WeakReference<ByteBuffer>>> idle = new ConcurrentHashMap<>();
  private final BoundedCount inUse;
  private final IntFunction<ByteBuffer> maker;
  private final LongSupplier nanoClock;
  private final AtomicLong nextAttempt;

  /** @param limit limit on the bytes of buffers in use */
  public BufferPool(long limit) {
    this(limit, ByteBuffer::allocateDirect, TimeAndThreads.get()::nanoTime);
  }

  /** The same. @param maker makes a buffer in direct memory */
  BufferPool(long limit, IntFunction<ByteBuffer> maker, LongSupplier nanoClock) {
    this.inUse = new BoundedCount(limit);
    this.maker = maker;
    this.nanoClock = nanoClock;
    this.nextAttempt = new AtomicLong(nanoClock.getAsLong());
  }

  /** A pool for a DataNode. @param pageSize bytes of data in a page */
  public static BufferPool ofJvm(int pageSize) {
    return new BufferPool(limitOfJvm(pageSize));
  }

  /**
   * @return bytes for buffers of a DataNode: an eighth of the heap, or of the JVM's direct memory if
   *     that is less; at least 32 pages
   */
  public static long limitOfJvm(int pageSize) {
    return limit(pageSize, Runtime.getRuntime().maxMemory(), MOST_OF_JVM);
  }

  static long limit(int pageSize, long heap, long direct) {
    return Math.max(32L * pageSize, Math.min(heap, direct) / 8);
  }

  /** @return bytes of direct memory that buffers may take in this JVM. */
  private static long mostOfJvm() {
    long configured = Long.parseLong(
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxDirectMemorySize").getValue());
    return configured > 0 ? configured : Runtime.getRuntime().maxMemory();
  }

  /** @return a buffer of so many bytes, to be closed, or null if there is no memory for it. */
  public Buffer take(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
    }
    int capacity = rounded(bytes);
    if (!inUse.take(capacity)) {
      return null;
    }
    Buffer taken = null;
    try {
      ByteBuffer base = idleOrNew(capacity + PageLayout.ALIGNMENT);
      taken = base == null ? null : new Buffer(base, capacity, bytes);
      return taken;
    } finally {
      if (taken == null) {
        inUse.give(capacity);
      }
    }
  }

  private ByteBuffer idleOrNew(int length) {
    Queue<WeakReference<ByteBuffer>> ofLength = idle.get(length);
    WeakReference<ByteBuffer> next = ofLength == null ? null : ofLength.poll();
    while (next != null) {
      ByteBuffer found = next.get();
      if (found != null) {
        return found;
      }
      next = ofLength.poll();
    }
    try {
      if (JVM.getTotalCapacity() + length <= MOST_OF_JVM) {
        return maker.apply(length);
      }
      tryInBackground(length);
    } catch (OutOfMemoryError e) {
      // Others were faster, or there is no thread to be had: no fault of an SSD.
    }
    return null;
  }

  private void tryInBackground(int length) {
    long now = nanoClock.getAsLong();
    long due = nextAttempt.get();
    if (now - due < 0 || !nextAttempt.compareAndSet(due, now + PAUSE_NANOS)) {
      return;
    }
    Thread thread = TimeAndThreads.get().newThread(() -> {
      try {
        giveBack(maker.apply(length));
      } catch (OutOfMemoryError e) {
        LOG.warn("Local cache: the JVM is out of direct memory (-XX:MaxDirectMemorySize is {} "
            + "bytes): reads that need a buffer go to the data volumes", MOST_OF_JVM);
      }
    });
    thread.setName("local-cache-buffers");
    thread.start();
  }

  private void giveBack(ByteBuffer base) {
    idle.computeIfAbsent(base.capacity(), length -> new ConcurrentLinkedQueue<>())
        .add(new WeakReference<>(base));
  }

  /** @return limit on the bytes of buffers in use. */
  public long limitBytes() {
    return inUse.bound();
  }

  /** @return bytes of the buffers that are in use now. */
  public long inUseBytes() {
    return inUse.used();
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
      inUse.give(capacity);
      giveBack(base);
    }
  }
}
