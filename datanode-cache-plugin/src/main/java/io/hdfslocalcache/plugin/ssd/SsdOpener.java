/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.Capacity;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.HealthLog;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.mount.DirectoryCheck;
import io.hdfslocalcache.plugin.ssd.mount.DirectoryLock;
import io.hdfslocalcache.plugin.ssd.mount.DryRunHome;
import io.hdfslocalcache.plugin.ssd.mount.SsdHome;
import io.hdfslocalcache.plugin.ssd.mount.UnusableDirectoryException;
import io.hdfslocalcache.plugin.ssd.space.SpaceCheck;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/** Opens SSDs with the settings in force, after the same checks as at the start. */
final class SsdOpener {

  /** Minimum length of an SSD's write queue in pages. */
  private static final long LEAST_PAGES = 4;

  private final String datanodeUuid;
  private final BlockIndex index;
  private final MemoryTier memory;
  private final CacheRateLimiter limiter;
  private final LocalCacheMetrics metrics;
  private final HealthLog healthLog;
  private final LongSupplier volumesNanos;
  /** Configuration for SSDs opened from now on. */
  private volatile LocalCacheConfig config;
  /** The space promised to the SSDs in use. */
  private final SpaceCheck space;

  /** @param volumesNanos how long a read of the data volumes takes at present, in nanoseconds */
  SsdOpener(LocalCacheConfig config, String datanodeUuid, BlockIndex index, MemoryTier memory,
      CacheRateLimiter limiter, LocalCacheMetrics metrics, HealthLog healthLog,
      LongSupplier volumesNanos) {
    this.datanodeUuid = datanodeUuid;
    this.index = index;
    this.memory = memory;
    this.limiter = limiter;
    this.metrics = metrics;
    this.healthLog = healthLog;
    this.volumesNanos = volumesNanos;
    this.config = config;
    this.space = new SpaceCheck(config);
  }

  /**
   * Promises another capacity to all SSDs, and to those opened from now on.
   *
   * @param open directories that must have the space
   * @throws BadConfigurationException if one does not; then nothing is changed
   */
  void changeCapacity(Capacity capacity, List<Path> open) throws BadConfigurationException {
    LocalCacheConfig changed = config.withCapacity(capacity);
    space.change(changed, open);
    config = changed;
  }

  /** @return bytes that may wait for each of some SSDs: for all, half of all buffers. */
  long mostWaiting(int ssds) {
    int pageSize = config.pageSize();
    return Math.max(
        LEAST_PAGES * pageSize, BufferPool.limitOfJvm(pageSize) / 2 / Math.max(1, ssds));
  }

  /** @return the space promised to SSDs. */
  SpaceCheck space() {
    return space;
  }

  /** @return capacity of an SSD whose size is not known; 0 if configured in percent. */
  long capacityOfUnknown() {
    return config.capacity().on(0);
  }

  /** @return how long to wait for opening an SSD, in nanoseconds. */
  long patienceNanos() {
    return config.healthLimits().writeDeadlineNanos();
  }

  /** @return the log of the SSDs' states. */
  HealthLog healthLog() {
    return healthLog;
  }

  /**
   * Checks whether a new directory can hold pages and is apart from those of other DataNodes; may
   * wait for its SSD.
   *
   * @throws UnusableDirectoryException if it can never be used
   * @throws IOException if its SSD is missing, is too small, or fails
   */
  void check(Path path) throws IOException {
    look(path, DirectoryLock::requireOutside);
  }

  /**
   * Checks whether a directory has the space. Makes it if it is missing, when nothing speaks against
   * it any more.
   *
   * @param around checks what is around the directory
   * @return its file system
   */
  private SpaceCheck.Disk look(Path path, ConsumerRaisingIOE<Path> around) throws IOException {
    if (config.dryRun()) {
      return SpaceCheck.Disk.ANY;
    }
    SpaceCheck.Disk disk = DirectoryCheck.look(path, config);
    around.accept(path);
    try {
      space.check(path, disk);
    } catch (BadConfigurationException e) {
      throw tooSmall(e);
    }
    DirectoryCheck.make(path);
    return disk;
  }

  /** Another, smaller file system may be in the SSD's place. */
  private static IOException tooSmall(BadConfigurationException e) {
    return new IOException(e.getMessage(), e);
  }

  /**
   * Promises an SSD its space, because it is to be used. Waits for no SSD.
   *
   * @throws IOException if others got it in the meantime
   */
  void promise(SsdDirectory ssd) throws IOException {
    try {
      space.add(ssd.path(), ssd.disk());
    } catch (BadConfigurationException e) {
      throw tooSmall(e);
    }
  }

  /**
   * Opens a directory, which is not in use yet; may wait for its SSD.
   *
   * @throws UnusableDirectoryException if it can never be used
   * @throws IOException if its SSD is missing, is too small, or fails
   */
  SsdDirectory open(Path path) throws IOException {
    LocalCacheConfig now = config;
    SpaceCheck.Disk disk = look(path, looked -> { });
    SsdDirectory.Limits limits = new SsdDirectory.Limits(
        disk, now.capacity().on(disk.total()), now.reservedBytes(), now.pageSize());
    SsdHealth health = new SsdHealth(now.healthLimits(), TimeAndThreads.get()::nanoTime,
        volumesNanos, (before, after, reason) -> healthLog.changed(path, before, after, reason));
    SsdHome home = now.dryRun() ? new DryRunHome(path, datanodeUuid, now.pageSize())
        : SsdHome.enter(path, datanodeUuid, now.pageSize(), now.restore());
    SsdDirectory opened = SsdDirectory.open(path, home, limits,
        new SsdIo(path.toString(), now.ioThreads(), now.healthLimits(), health),
        new WriteQueue(now.fillThreads(), mostWaiting(1)), index, memory, limiter, metrics);
    opened.wear().setEndurance(now.endurance().on(
        now.dryRun() ? limits.capacity() : disk.total()));
    return opened;
  }
}
