/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.health.HealthLimits;
import io.hdfslocalcache.plugin.health.HealthWatch;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.ssd.mount.DirectoryCheck;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.SpaceCheck;
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

  private final String datanodeUuid;
  private final PageListener listener;
  /** In the order of the configuration; null in the place of one that cannot be used yet. */
  private final AtomicReferenceArray<SsdDirectory> places;
  private final AbsentSsds absent;
  private final HealthWatch watch;
  private final List<Upkeep> upkeeps = new CopyOnWriteArrayList<>();
  /** What SSDs are opened with from now on. */
  private volatile LocalCacheConfig config;
  /** What is promised to those that are open. */
  private volatile SpaceCheck space;
  private Consumer<SsdDirectory> arrived;
  private boolean closing;

  private SsdDirectories(LocalCacheConfig config, String datanodeUuid, PageListener listener) {
    this.datanodeUuid = datanodeUuid;
    this.listener = listener;
    this.places = new AtomicReferenceArray<>(config.directories().size());
    HealthLimits limits = config.healthLimits();
    this.absent = new AbsentSsds(limits.probeIntervalNanos());
    this.watch = new HealthWatch(List.of(), limits);
    configure(config, new SpaceCheck(config));
  }

  /**
   * Opens all configured directories. Those whose SSD is not there, is broken or does not answer in
   * the time that a write may take are down, until they can be used.
   *
   * @throws BadConfigurationException if one can never be used; then none stays open
   */
  public static SsdDirectories open(LocalCacheConfig config, String datanodeUuid,
      PageListener listener) throws BadConfigurationException {
    SsdDirectories all = new SsdDirectories(config, datanodeUuid, listener);
    long patience = config.healthLimits().writeDeadlineNanos();
    List<Attempt<SsdDirectory>> attempts = config.directories().stream().map(path ->
        new Attempt<>("local-cache-open-" + path, patience, () -> all.openAt(path))).toList();
    for (int place = 0; place < attempts.size(); place++) {
      try {
        all.add(place, attempts.get(place).get());
      } catch (BadConfigurationException e) {
        attempts.forEach(SsdDirectories::close);
        all.watch.close();
        throw e;
      } catch (IOException | RuntimeException e) {
        all.addAbsent(place, SsdHealth.words(e));
      }
    }
    return all;
  }

  private static void close(Attempt<SsdDirectory> attempt) {
    try {
      attempt.get();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Local cache: not opened", e);
    } finally {
      attempt.giveUp();
    }
  }

  /**
   * Opens a directory; may wait for its SSD.
   *
   * @throws BadConfigurationException if it can never be used
   * @throws IOException if its SSD is not there, is too small, or fails
   */
  private SsdDirectory openAt(Path path) throws IOException {
    LocalCacheConfig now = config;
    SpaceCheck.Disk disk = DirectoryCheck.prepare(path, now.requireMount());
    try {
      space.add(path, disk);
    } catch (BadConfigurationException e) {
      // Another, smaller file system may be where the SSD should be.
      throw new IOException(e.getMessage(), e);
    }
    SsdDirectory.Limits limits = new SsdDirectory.Limits(now.capacity().on(disk.total()),
        now.reservedBytes(), now.pageSize());
    return SsdDirectory.open(path, datanodeUuid, limits, now.restore(), io(path, now), listener);
  }

  private SsdIo io(Path path, LocalCacheConfig now) {
    SsdHealth health = new SsdHealth(now.healthLimits(), System::nanoTime,
        (before, after, reason) -> listener.healthChanged(path, before, after, reason));
    return new SsdIo(path.toString(), now.ioThreads(), now.healthLimits(), health);
  }

  private void add(int place, SsdDirectory ssd) {
    places.set(place, ssd);
    watch.add(ssd.watched());
  }

  private void addAbsent(int place, String reason) {
    Path path = config.directories().get(place);
    absent.add(path, reason, () -> takeIn(place, openAt(path)));
    listener.healthChanged(path, SsdState.NORMAL, SsdState.DOWN, reason);
  }

  private synchronized void takeIn(int place, SsdDirectory ssd) throws IOException {
    if (closing) {
      ssd.close();
      return;
    }
    add(place, ssd);
    try {
      use(ssd);
    } catch (RuntimeException | Error e) {
      // Half in, it would be locked against the next attempt.
      places.set(place, null);
      watch.remove(ssd.io());
      ssd.close();
      throw e;
    }
    listener.healthChanged(ssd.path(), SsdState.DOWN, SsdState.NORMAL, "");
  }

  /**
   * Finds the SSD for the pages of a block. A block stays with its SSD when another one is broken.
   *
   * @return the SSD, or null if it cannot be used yet: no page of the block is cached then
   */
  public SsdDirectory of(BlockKey key) {
    return places.get(placeOf(key, places.length()));
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

  /** @return how all SSDs do, those last that cannot be used yet. */
  public List<SsdReport> reports() {
    return Stream.concat(all().stream().map(SsdReport::of), absent.reasons().entrySet().stream()
        .map(dead -> SsdReport.absent(dead.getKey(), dead.getValue()))).toList();
  }

  /** @return how the SSD does on which the pages of a block are, or would be. */
  public SsdReport reportOf(BlockKey key) {
    // Asked once: an SSD that could not be opened may be taken in at any time.
    SsdDirectory directory = of(key);
    if (directory != null) {
      return SsdReport.of(directory);
    }
    Path path = config.directories().get(placeOf(key, places.length()));
    return SsdReport.absent(path, absent.reasons().getOrDefault(path, "not open"));
  }

  /** @return all SSDs that are open, in the order of the configuration. */
  public List<SsdDirectory> all() {
    return IntStream.range(0, places.length()).mapToObj(places::get).filter(Objects::nonNull)
        .toList();
  }

  /** From now on SSDs are opened with another capacity. */
  void configure(LocalCacheConfig newConfig, SpaceCheck newSpace) {
    config = newConfig;
    space = newSpace;
  }

  /**
   * Begins to watch over the space on the SSDs, and to take in those that cannot be used yet.
   *
   * @param arrival told of each SSD whose pages are to be restored: now, when it is taken in, and when
   *     its directory was gone and is back
   */
  public synchronized void start(Consumer<SsdDirectory> arrival) {
    arrived = arrival;
    all().forEach(this::use);
    absent.start();
  }

  private void use(SsdDirectory ssd) {
    AtomicInteger round = new AtomicInteger();
    Upkeep upkeep = new Upkeep("local-cache-upkeep-" + ssd.path(), isClosing -> {
      ssd.checkSpace(isClosing);
      if (round.incrementAndGet() % DELETE_ROUNDS == 0) {
        ssd.deleteAgain();
      }
    });
    try {
      ssd.onReturn(arrived);
      arrived.accept(ssd);
    } catch (RuntimeException | Error e) {
      upkeep.close();
      throw e;
    }
    upkeeps.add(upkeep);
  }

  /** Takes in no SSD any more. */
  public synchronized void stopTakingIn() {
    closing = true;
    absent.close();
  }

  /** Closes all SSDs, or leaves one that hangs to itself: the DataNode has to stop. */
  @Override
  public void close() {
    stopTakingIn();
    watch.close();
    IOUtils.cleanupWithLogger(LOG, upkeeps.toArray(new Upkeep[0]));
    Map<SsdDirectory, Daemon> closing = new LinkedHashMap<>();
    for (SsdDirectory directory : all()) {
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
