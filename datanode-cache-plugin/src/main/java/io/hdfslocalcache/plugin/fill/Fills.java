/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.time.TimeAndThreads;

/** The background fills of all SSDs. Each has threads of its own: one that hangs holds up no other. */
public final class Fills implements Closeable {

  /** Pages that may wait to be filled in the background, for each SSD. */
  private static final int MOST_QUEUED_PAGES = 4096;

  private final SsdDirectories directories;
  private final LocalCacheConfig config;
  private final Consumer<FillRequest> filler;
  private final PageWriter writer;
  private final LocalCacheMetrics metrics;
  private final long mostWaiting;
  private final Map<SsdDirectory, FillScheduler> schedulers = new ConcurrentHashMap<>();
  private final Map<SsdDirectory, WriteQueue> queues = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @param filler does what is asked for in the background; must not throw
   * @param writer writes what readers have read
   * @param buffers where that is meanwhile; of its bytes, half may wait, the same share for each SSD
   */
  public Fills(SsdDirectories directories, LocalCacheConfig config, Consumer<FillRequest> filler,
      PageWriter writer, BufferPool buffers, LocalCacheMetrics metrics) {
    this.directories = directories;
    this.config = config;
    this.filler = filler;
    this.writer = writer;
    this.metrics = metrics;
    this.mostWaiting = buffers.limitBytes() / 2 / Math.max(1, config.directories().size());
    directories.all().forEach(this::of);
  }

  /** An SSD may have been taken in since the start. */
  private FillScheduler of(SsdDirectory directory) {
    return schedulers.computeIfAbsent(directory, ssd -> new FillScheduler(config.pageSize(),
        config.fillThreads(), MOST_QUEUED_PAGES, filler));
  }

  private WriteQueue queueOf(SsdDirectory directory) {
    return queues.computeIfAbsent(
        directory, ssd -> new WriteQueue(config.fillThreads(), mostWaiting));
  }

  /**
   * Has parts written that a reader has read. Returns at once.
   *
   * @param rule whose page it is; null: nobody's
   * @param end called once, when the buffer is not needed any more
   */
  public void write(CachedBlock block, PageSlice slice, ByteBuffer buffer, RuleAccount rule,
      Runnable end) {
    // While it waits, the block's entry stays, as it does for a reader.
    boolean isAlive = block.addReader();
    WriteQueue.Write write = new WriteQueue.Write(slice.bufferLength(),
        () -> writer.write(block, slice, buffer, rule), () -> {
          try {
            if (isAlive) {
              block.removeReader();
            }
          } finally {
            end.run();
          }
        });
    try {
      SsdDirectory directory = directories.of(block);
      if (directory == null || !isAlive || closed) {
        write.drop();
      } else if (!queueOf(directory).submit(write)) {
        metrics.count(Event.FILLS_DROPPED_QUEUE_FULL);
      }
    } catch (RuntimeException | Error e) {
      write.drop();
      throw e;
    }
  }

  /**
   * Asks for what an operator orders, or a reader has missed. Returns at once.
   *
   * @return false if the queue is full or closed, or the block's SSD is not open
   */
  public boolean submit(FillRequest request) {
    SsdDirectory directory = directories.of(request.snapshot().key());
    return directory != null && of(directory).submit(request);
  }

  /** Asks for what a reader has missed. What does not fit into the queue is missed again. */
  public void missed(FillRequest request) {
    if (directories.mayFill(request.snapshot().key()) && !submit(request)) {
      metrics.count(Event.FILLS_DROPPED_QUEUE_FULL);
    }
  }

  /** An SSD is not used any more: stops its running fills, and forgets the waiting ones. */
  public void forget(SsdDirectory ssd) {
    FillScheduler scheduler = schedulers.remove(ssd);
    WriteQueue queue = queues.remove(ssd);
    if (queue != null) {
      queue.close();
    }
    if (scheduler != null) {
      scheduler.close(secondsToEnd(ssd));
    }
    if (queue != null) {
      queue.awaitEnd(secondsToEnd(ssd));
    }
    writer.forget(ssd);
  }

  /** @return pages that wait for a thread. */
  public int queuedPages() {
    return schedulers.values().stream().mapToInt(FillScheduler::queuedPages).sum();
  }

  /** @return whether nothing waits and nothing runs. */
  public boolean isIdle() {
    return schedulers.values().stream().allMatch(FillScheduler::isIdle)
        && queues.values().stream().allMatch(queue -> queue.waitingBytes() == 0);
  }

  /** Stops the running fills and forgets the waiting ones. */
  @Override
  public void close() {
    closed = true;
    queues.values().forEach(WriteQueue::close);
    // All at once: each may wait for its SSD, unless that is known not to answer.
    TimeAndThreads.get().forEachAtOnce(schedulers.entrySet(),
        entry -> entry.getValue().close(secondsToEnd(entry.getKey())));
    TimeAndThreads.get().forEachAtOnce(queues.entrySet(),
        entry -> entry.getValue().awaitEnd(secondsToEnd(entry.getKey())));
  }

  private static int secondsToEnd(SsdDirectory ssd) {
    return ssd.io().health().mayRead() ? FillScheduler.CLOSE_SECONDS : 1;
  }
}
