/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.health.HealthLimits;
import io.hdfslocalcache.plugin.health.HealthWatch;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdState;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SSDs of a DataNode. All pages of a block are on the same one. */
public final class SsdDirectories implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirectories.class);

  private static final long CLOSE_MILLIS = 10_000;
  private static final long CLOSE_DOWN_MILLIS = 1000;
  /** Files that could not be deleted are tried again after so many rounds of upkeep. */
  private static final int DELETE_ROUNDS = 30;

  private final List<Upkeep> upkeeps = new ArrayList<>();

  /** In the order of the configuration; null in the place of one that could not be opened. */
  private final List<SsdDirectory> places;
  private final List<SsdDirectory> directories;
  private final Map<Path, String> dead;
  private final HealthWatch watch;

  private SsdDirectories(List<SsdDirectory> places, Map<Path, String> dead, HealthLimits limits) {
    this.places = places;
    this.dead = dead;
    this.directories = places.stream().filter(Objects::nonNull).toList();
    this.watch = new HealthWatch(
        directories.stream().map(SsdDirectory::watched).toList(), limits);
  }

  /**
   * Opens all configured directories, but those on SSDs that are broken or do not answer in the
   * time that a write may take: they are left out until the next start.
   *
   * @throws IOException if one cannot be opened for another reason; then none stays open
   */
  public static SsdDirectories open(LocalCacheConfig config, String datanodeUuid,
      PageListener listener) throws IOException {
    List<Attempt<SsdDirectory>> attempts = config.directories().stream()
        .map(path -> new Attempt<>("local-cache-open-" + path,
            () -> openOne(path, config, datanodeUuid, listener))).toList();
    List<SsdDirectory> opened = new ArrayList<>();
    Map<Path, String> dead = new LinkedHashMap<>();
    long patience = config.healthLimits().writeDeadlineNanos();
    long deadline = System.nanoTime() + patience;
    for (Attempt<SsdDirectory> attempt : attempts) {
      try {
        opened.add(attempt.get(deadline, patience));
      } catch (IOException | RuntimeException e) {
        if (!DeadSsd.shows(e)) {
          attempts.forEach(other -> close(other, deadline, patience));
          throw e;
        }
        Path path = config.directories().get(opened.size());
        opened.add(null);
        dead.put(path, "could not be opened: " + e);
        listener.healthChanged(path, SsdState.NORMAL, SsdState.DOWN, dead.get(path));
      }
    }
    return new SsdDirectories(opened, dead, config.healthLimits());
  }

  private static void close(Attempt<SsdDirectory> attempt, long deadline, long patience) {
    try {
      attempt.get(deadline, patience);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Local cache: not opened", e);
    } finally {
      attempt.giveUp();
    }
  }

  private static SsdDirectory openOne(Path path, LocalCacheConfig config, String datanodeUuid,
      PageListener listener) throws IOException {
    long capacity = config.capacity().on(path.toFile().getTotalSpace());
    SsdDirectory.Limits limits = new SsdDirectory.Limits(
        capacity, config.reservedBytes(), config.pageSize());
    return SsdDirectory.open(path, datanodeUuid, limits, config.restore(),
        io(path, config, listener), listener);
  }

  private static SsdIo io(Path path, LocalCacheConfig config, PageListener listener) {
    SsdHealth health = new SsdHealth(config.healthLimits(), System::nanoTime,
        (before, now, reason) -> listener.healthChanged(path, before, now, reason));
    return new SsdIo(path.toString(), config.ioThreads(), config.healthLimits(), health);
  }

  /**
   * Finds the SSD for the pages of a block. A block stays with its SSD when another one is broken.
   *
   * @return the SSD, or null if it could not be opened: no page of the block is cached then
   */
  public SsdDirectory of(BlockKey key) {
    return places.get(placeOf(key, places.size()));
  }

  /** @return on which of so many SSDs, counted from 0, the pages of a block are. */
  public static int placeOf(BlockKey key, int ssds) {
    long mixed = (key.blockId() ^ key.blockPoolId().hashCode()) * 0x9E3779B97F4A7C15L;
    return (int) ((mixed >>> 33) % ssds);
  }

  /** @return whether pages of the block may be read now. */
  public boolean mayRead(BlockKey key) {
    SsdDirectory directory = of(key);
    return directory != null && directory.io().health().mayRead();
  }

  /** @return whether pages of the block may be written now. */
  public boolean mayFill(BlockKey key) {
    SsdDirectory directory = of(key);
    return directory != null && directory.io().health().mayFill();
  }

  /** @return the directories that could not be opened, with the reason. */
  public Map<Path, String> dead() {
    return dead;
  }

  /** @return all SSDs that could be opened. */
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
    Map<SsdDirectory, Daemon> closing = new LinkedHashMap<>();
    for (SsdDirectory directory : directories) {
      Daemon thread = new Daemon(() -> IOUtils.cleanupWithLogger(LOG, directory));
      thread.setName("local-cache-close-" + directory.path());
      thread.start();
      closing.put(directory, thread);
    }
    closing.forEach((directory, thread) -> join(thread,
        directory.io().health().mayRead() ? CLOSE_MILLIS : CLOSE_DOWN_MILLIS));
  }

  private static void join(Daemon thread, long millis) {
    try {
      thread.join(millis);
      if (thread.isAlive()) {
        LOG.warn("Local cache: {} does not come to an end", thread.getName());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
