/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.Closeable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.store.SsdDirectories;
import io.hdfslocalcache.plugin.store.SsdDirectory;

/** The background fills of all SSDs. Each has threads of its own: one that hangs holds up no other. */
public final class Fills implements Closeable {

  private final SsdDirectories directories;
  private final LocalCacheConfig config;
  private final Consumer<FillRequest> filler;
  private final Map<SsdDirectory, FillScheduler> schedulers = new ConcurrentHashMap<>();

  /** @param filler does a fill; must not throw */
  public Fills(SsdDirectories directories, LocalCacheConfig config, Consumer<FillRequest> filler) {
    this.directories = directories;
    this.config = config;
    this.filler = filler;
    directories.all().forEach(this::of);
  }

  /** An SSD may have been taken in since the start. */
  private FillScheduler of(SsdDirectory directory) {
    return schedulers.computeIfAbsent(directory, ssd -> new FillScheduler(config.pageSize(),
        config.fillThreads(), config.fillThreadsPerVolume(), config.fillQueuePages(), filler));
  }

  /**
   * Asks for a fill. Returns at once.
   *
   * @param volume the data volume that it will read
   * @return false if the queue is full or closed, or the block's SSD is not open
   */
  public boolean submit(String volume, FillRequest request) {
    SsdDirectory directory = directories.of(request.snapshot().key());
    return directory != null && of(directory).submit(volume, request);
  }

  /** @return pages that wait for a thread. */
  public int queuedPages() {
    return schedulers.values().stream().mapToInt(FillScheduler::queuedPages).sum();
  }

  /** @return whether nothing waits and nothing runs. */
  public boolean isIdle() {
    return schedulers.values().stream().allMatch(FillScheduler::isIdle);
  }

  /** Stops the running fills and forgets the waiting ones. */
  @Override
  public void close() {
    // All at once: each may wait for its SSD, unless that is known not to answer.
    schedulers.entrySet().parallelStream().forEach(entry -> entry.getValue().close(
        entry.getKey().io().health().mayRead() ? FillScheduler.CLOSE_SECONDS : 1));
  }
}
