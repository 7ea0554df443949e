/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * A data volume, as the local cache reads it: how long reads wait for it, the visits that read more
 * than a client requested, and the fills that wait for it.
 *
 * <p>The mean wait of recent reads distinguishes a volume whose bytes are in the OS page cache, an
 * idle disk and a busy disk.
 *
 * <p>Threads of the volume make the visits, and the client waits within its budget. So a volume
 * that hangs does not delay others. Parts whose visit failed or took too long, for example because
 * of a bad sector, are not visited for ten minutes: clients read only the requested bytes.
 */
public final class Volume implements Closeable {

  /** Concurrent visits. Beyond that, clients read only the requested bytes. */
  public static final int MOST_VISITS = 64;
  /** The initial mean wait: that of an idle disk. */
  public static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
  /** Number of remembered parts. */
  static final int MOST_AVOIDED = 4096;
  private static final long AVOIDED_NANOS = TimeUnit.MINUTES.toNanos(10);
  /** After the last read, its mean wait counts for this time. */
  private static final long RECENT_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int IDLE_SECONDS = 60;
  /** A long read counts as several of this size, in bytes. */
  private static final long READ_BYTES = 256 << 10;
  /** The OS page cache takes fewer nanoseconds per byte, a disk more. */
  private static final long NANOS_PER_BYTE = 1;
  /** A new read has a weight of 1 / WEIGHT in the mean. */
  private static final int WEIGHT = 16;
  /** Highest mean of the OS page cache. A disk reads 256 KiB in twice the time. */
  private static final long MEMORY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  /** Lowest mean of a disk where reads wait for each other. */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  /** A read that takes longer met a fault, not a queue, and does not predict the next one. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);
  /**
   * Bytes of checksums to read at a time from a busy volume: those of 8 MiB of data with HDFS's
   * defaults. The next reads of the block find theirs in the OS page cache, where its data would
   * not fit. Without this, nearly every small read of a block costs the disk two seeks.
   */
  private static final int CHECKSUMS_AT_ONCE = 64 << 10;

  private final LongSupplier nanoClock;
  private final AtomicLong mean = new AtomicLong(IDLE_NANOS);
  private volatile long lastRead;
  private final ThreadPoolExecutor visits;
  /** Start of the pause of each part, the oldest first. */
  private final Map<Part, Long> avoided = new LinkedHashMap<>();
  private final Deque<FillRequest> waiting = new ArrayDeque<>();
  private int waitingPages;
  private boolean isFilling;

  private record Part(String fileId, int page, int number) {
  }

  /** @param nanoClock a clock that only goes forward, in nanoseconds */
  public Volume(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.lastRead = nanoClock.getAsLong() - RECENT_NANOS - 1;
    AtomicInteger number = new AtomicInteger();
    this.visits = new ThreadPoolExecutor(
        0, MOST_VISITS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
        visit -> TimeAndThreads.get()
            .newThread("local-cache-visit-" + number.incrementAndGet(), visit));
  }

  /**
   * Bytes were read from the volume, or from the OS page cache instead.
   *
   * @param nanos duration
   */
  public void took(long bytes, long nanos) {
    long waited = Math.max(0, nanos - bytes * NANOS_PER_BYTE) / reads(bytes);
    long counted = Math.min(waited, LONGEST_NANOS);
    mean.updateAndGet(before -> before + (counted - before) / WEIGHT);
    lastRead = nanoClock.getAsLong();
  }

  /** @return whether its mean wait is of recent reads: it is only assumed before the first read. */
  private boolean wasRead() {
    return nanoClock.getAsLong() - lastRead <= RECENT_NANOS;
  }

  private static long reads(long bytes) {
    return Math.max(1, (bytes + READ_BYTES - 1) / READ_BYTES);
  }

  /** @return how long a read waits in the mean, in nanoseconds. */
  public long waitNanos() {
    return mean.get();
  }

  /** @return whether nearly all reads are served by the OS page cache. */
  public boolean isMemory() {
    return waitNanos() < MEMORY_NANOS;
  }

  /** @return whether reads wait for each other. */
  public boolean isBusy() {
    return waitNanos() >= BUSY_NANOS;
  }

  /** @return mean wait of reads of so many bytes for each other; 0 if none. */
  public long busyNanos(long bytes) {
    return isBusy() ? waitNanos() * reads(bytes) : 0;
  }

  /**
   * Reads parts of a page from its replica, in the format of the page's file. Data and checksums
   * are one request each.
   *
   * @param slice whole parts
   * @param buffer of the slice
   * @param files open files of the replica
   * @param isAhead whether a busy volume also reads the checksums that the next reads will want
   * @throws IOException if the replica cannot be read
   */
  public void read(CachedBlock block, PageSlice slice, ByteBuffer buffer, ReplicaFiles files,
      boolean isAhead) throws IOException {
    long begin = nanoClock.getAsLong();
    PageLayout layout = slice.layout();
    files.readData(layout.start(slice.page()) + slice.from(), slice.data(buffer));
    readChecksums(layout, slice, buffer, files, isAhead && isBusy());
    // A disk that fails at once is not as fast as the OS page cache.
    took(slice.to() - slice.from(), nanoClock.getAsLong() - begin);
    // Old bytes of the buffer must not be written.
    for (int i = slice.to(); i % PageLayout.ALIGNMENT != 0; i++) {
      buffer.put(i - slice.from(), (byte) 0);
    }
    for (int part = slice.firstPart(); part <= slice.lastPart(); part++) {
      slice.seal(buffer, part, block.snapshot(), block.fileId());
    }
  }

  private static void readChecksums(PageLayout layout, PageSlice slice, ByteBuffer buffer,
      ReplicaFiles files, boolean isAhead) throws IOException {
    int page = slice.page();
    int first = slice.firstPart();
    long begin = layout.checksumStart(page) + (long) first * layout.partChecksums();
    long end = layout.checksumStart(page) + (long) slice.lastPart() * layout.partChecksums()
        + layout.partChecksumLength(page, slice.lastPart());
    long from = isAhead ? begin / CHECKSUMS_AT_ONCE * CHECKSUMS_AT_ONCE : begin;
    long to = isAhead ? Math.min(layout.checksums(),
        (end + CHECKSUMS_AT_ONCE - 1) / CHECKSUMS_AT_ONCE * CHECKSUMS_AT_ONCE) : end;
    ByteBuffer checksums = ByteBuffer.allocate((int) (to - from));
    files.readChecksums(from, checksums);
    for (int part = first; part <= slice.lastPart(); part++) {
      slice.tail(buffer, part).put(checksums.array(),
          (int) (begin - from) + (part - first) * layout.partChecksums(),
          layout.partChecksumLength(page, part));
    }
  }

  /**
   * Runs a visit in a thread of the volume at once.
   *
   * @throws RejectedExecutionException if all are busy, none can be started, or this is closed
   */
  public void visit(Runnable visit) {
    try {
      visits.execute(visit);
    } catch (OutOfMemoryError e) {
      throw new RejectedExecutionException("no thread can be started", e);
    }
  }

  /** @return whether a thread is left for a visit, at this moment. */
  public boolean mayVisit() {
    return visits.getActiveCount() < MOST_VISITS;
  }

  /** A visit failed, or took too long. */
  public void avoid(CachedBlock block, PageSlice slice) {
    long now = nanoClock.getAsLong();
    synchronized (avoided) {
      for (int number = slice.firstPart(); number <= slice.lastPart(); number++) {
        Part part = new Part(block.fileId(), slice.page(), number);
        avoided.remove(part);
        avoided.put(part, now);
        if (avoided.size() > MOST_AVOIDED) {
          avoided.remove(avoided.keySet().iterator().next());
        }
      }
    }
  }

  /** @return whether visits pause for one of the parts. */
  public boolean isAvoided(CachedBlock block, PageSlice slice) {
    synchronized (avoided) {
      if (avoided.isEmpty()) {
        return false;
      }
      long now = nanoClock.getAsLong();
      return IntStream.rangeClosed(slice.firstPart(), slice.lastPart()).anyMatch(number -> {
        Long since = avoided.get(new Part(block.fileId(), slice.page(), number));
        return since != null && now - since <= AVOIDED_NANOS;
      });
    }
  }

  /**
   * Queues a fill. One larger than the whole queue is accepted when nothing else waits.
   *
   * @param most length of the queue, in pages
   * @return false if it will not be filled: the queue is full, they are closed, or have no thread
   */
  synchronized boolean add(FillRequest request, int pages, int most, Fills fills) {
    if (waitingPages > 0 && waitingPages + pages > most) {
      return false;
    }
    waiting.add(request);
    waitingPages += pages;
    if (fills.isClosed()) {
      forgetAll(fills);
      return false;
    }
    if (!isFilling) {
      try {
        fills.execute(() -> drain(fills));
        isFilling = true;
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // Closed just now, or no thread can be started.
        return false;
      } finally {
        if (!isFilling) {
          // Nobody would fill what waits.
          forgetAll(fills);
        }
      }
    }
    return true;
  }

  synchronized void forgetAll(Fills fills) {
    waiting.forEach(fills::forget);
    waiting.clear();
    waitingPages = 0;
  }

  /** Fills one, and queues behind the other volumes with the rest: they share the threads. */
  private void drain(Fills fills) {
    boolean isHandedOn = false;
    for (FillRequest next = next(fills); next != null && !isHandedOn; ) {
      fills.fill(next);
      try {
        fills.execute(() -> drain(fills));
        isHandedOn = true;
      } catch (RuntimeException | Error e) {
        // Closed just now, or no more threads can be started: this one goes on.
        next = next(fills);
      }
    }
  }

  private synchronized FillRequest next(Fills fills) {
    // Closed: the interrupted fill was the last.
    FillRequest next = fills.isClosed() ? null : waiting.poll();
    if (next == null) {
      isFilling = false;
    } else {
      // Before it is filled: pages missed from now on need another fill.
      waitingPages -= fills.forget(next);
    }
    return next;
  }

  /** Accepts no more visits. */
  @Override
  public void close() {
    visits.shutdown();
  }

  /** The data volumes of a DataNode: each is made when a read first asks for it. */
  public static final class All implements Closeable {

    private final LongSupplier nanoClock;
    private final Map<String, Volume> volumes = new ConcurrentHashMap<>();
    /** Stands for an unknown volume, and for all once this is closed. */
    private final Volume none;
    private boolean isClosed;

    /** @param nanoClock a clock that only goes forward, in nanoseconds */
    public All(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
      this.none = new Volume(nanoClock);
    }

    /**
     * Finds a volume.
     *
     * @param directory as the DataNode names it; null: it does not know
     * @return the volume; a stand-in if it is not known, or this is closed
     */
    public Volume of(String directory) {
      if (directory == null) {
        return none;
      }
      Volume known = volumes.get(directory);
      return known == null ? make(directory) : known;
    }

    private synchronized Volume make(String directory) {
      return isClosed ? none : volumes.computeIfAbsent(directory, name -> new Volume(nanoClock));
    }

    /** @return how long a read waits for each volume that was read lately, by its directory. */
    public SortedMap<String, Long> waitNanos() {
      SortedMap<String, Long> nanos = new TreeMap<>();
      volumes.forEach((directory, volume) -> {
        if (volume.wasRead()) {
          nanos.put(directory, volume.waitNanos());
        }
      });
      return nanos;
    }

    /** @return how long a read waits in the mean of the volumes that were read lately. */
    public long meanWaitNanos() {
      return (long) volumes.values().stream().filter(Volume::wasRead)
          .mapToLong(Volume::waitNanos).average().orElse(Volume.IDLE_NANOS);
    }

    /** Accepts no more visits, and makes no more volumes. */
    @Override
    public synchronized void close() {
      isClosed = true;
      none.close();
      volumes.values().forEach(Volume::close);
    }
  }
}
