/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.HealthLimits;
import io.hdfslocalcache.plugin.health.HealthWatch;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SSDs of a DataNode. All pages of a block are on the same one. */
public final class SsdDirectories implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirectories.class);

  private static final long CLOSE_MILLIS = 10_000;
  /** Files that could not be deleted are tried again after so many rounds of upkeep. */
  private static final int DELETE_ROUNDS = 30;

  private final List<Upkeep> upkeeps = new ArrayList<>();

  private final List<SsdDirectory> directories;
  private final HealthWatch watch;

  private SsdDirectories(List<SsdDirectory> directories, HealthLimits limits) {
    this.directories = List.copyOf(directories);
    this.watch = new HealthWatch(
        directories.stream().map(SsdDirectory::watched).toList(), limits);
  }

  /**
   * Opens all configured directories.
   *
   * @throws IOException if one cannot be opened; then none stays open
   */
  public static SsdDirectories open(LocalCacheConfig config, String datanodeUuid,
      PageListener listener) throws IOException {
    List<SsdDirectory> opened = new ArrayList<>();
    try {
      for (var path : config.directories()) {
        long capacity = config.capacity().on(path.toFile().getTotalSpace());
        SsdDirectory.Limits limits = new SsdDirectory.Limits(
            capacity, config.reservedBytes(), config.pageSize(), config.openFiles());
        opened.add(SsdDirectory.open(path, datanodeUuid, limits, config.restore(),
            io(path, config, listener), listener));
      }
      return new SsdDirectories(opened, config.healthLimits());
    } catch (IOException | RuntimeException e) {
      opened.forEach(IOUtils::closeStream);
      throw e;
    }
  }

  private static SsdIo io(Path path, LocalCacheConfig config, PageListener listener) {
    SsdHealth health = new SsdHealth(config.healthLimits(), System::nanoTime,
        (before, now, reason) -> listener.healthChanged(path, before, now, reason));
    return new SsdIo(path.toString(), config.ioThreads(), config.healthLimits(), health);
  }

  /** @return the SSD for the pages of a block. */
  public SsdDirectory of(BlockKey key) {
    long mixed = (key.blockId() ^ key.blockPoolId().hashCode()) * 0x9E3779B97F4A7C15L;
    return directories.get((int) ((mixed >>> 33) % directories.size()));
  }

  /** @return all SSDs. */
  public List<SsdDirectory> all() {
    return directories;
  }

  /** Begins to watch over the space on the SSDs. */
  public void startUpkeep() {
    for (SsdDirectory ssd : directories) {
      AtomicReference<Upkeep> self = new AtomicReference<>();
      AtomicInteger round = new AtomicInteger();
      self.set(new Upkeep("local-cache-upkeep-" + directories.indexOf(ssd), () -> {
        ssd.checkSpace(() -> self.get() != null && self.get().isClosing());
        if (round.incrementAndGet() % DELETE_ROUNDS == 0) {
          ssd.deleteAgain();
        }
      }));
      upkeeps.add(self.get());
    }
  }

  /** Closes all SSDs, or leaves one that hangs to itself: the DataNode has to stop. */
  @Override
  public void close() {
    watch.close();
    IOUtils.cleanupWithLogger(LOG, upkeeps.toArray(new Upkeep[0]));
    List<Daemon> closing = new ArrayList<>();
    for (SsdDirectory directory : directories) {
      Daemon thread = new Daemon(() -> IOUtils.cleanupWithLogger(LOG, directory));
      thread.setName("local-cache-close-" + directory.path());
      thread.start();
      closing.add(thread);
    }
    closing.forEach(SsdDirectories::join);
  }

  private static void join(Daemon thread) {
    try {
      thread.join(CLOSE_MILLIS);
      if (thread.isAlive()) {
        LOG.warn("Local cache: {} does not come to an end", thread.getName());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
