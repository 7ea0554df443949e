/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.Capacity;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.health.HealthLog;
import io.hdfslocalcache.plugin.health.Rounds;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.Places.Place;
import io.hdfslocalcache.plugin.ssd.mount.UnusableDirectoryException;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSDs of a DataNode. All pages of a block are on the same SSD: that of its entry while the
 * block is in the index, else the one chosen by {@link Places#choose}.
 */
public final class SsdDirectories implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirectories.class);
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** Time to close an SSD that does not answer. */
  private static final long CLOSE_DOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BlockIndex index;
  private final SsdOpener opener;
  private final AbsentSsds absent;
  private final TimeAndThreads.Repetition checks;
  private final KeptState kept;
  /** Changed by {@link #set} with the monitor held, read without it. */
  private volatile Places places = Places.NONE;
  private CapacityListener capacityListener = (ssds, bytes) -> { };
  /** Null until the start. */
  private Consumer<SsdDirectory> arrived;
  private Consumer<SsdDirectory> departed;
  private Consumer<SsdDirectory> trim;
  private boolean closing;

  /** Is told the capacity for pages; must not wait, because a monitor is held. */
  @FunctionalInterface
  public interface CapacityListener {

    /**
     * Receives the present capacity.
     *
     * @param ssds number of SSDs that get blocks, whether or not they can be used
     * @param bytes bytes that pages may take on all of them; as long as the size of some is not
     *     known, each of these counts as the average of the others, or as 0
     */
    void capacity(int ssds, long bytes);
  }

  private SsdDirectories(LocalCacheConfig config, BlockIndex index, KeptState kept,
      SsdOpener opener) {
    this.index = index;
    this.kept = kept;
    this.opener = opener;
    this.absent = new AbsentSsds(config.healthLimits().probeIntervalNanos());
    this.checks = TimeAndThreads.get().repeat("local-cache-health",
        TimeUnit.MILLISECONDS.toNanos(SsdIo.TICK_MILLIS),
        new Rounds("checking the SSDs", () -> all().forEach(SsdDirectory::check)));
  }

  /**
   * Opens all directories. If an SSD is missing, broken or does not answer in the time that a write
   * may take, its directory is down until it can be used; so is one that was added by command and
   * cannot be used.
   *
   * @param index which blocks have pages, and where
   * @param kept gets a copy on each SSD
   * @param memory removes pages that are no longer on an SSD
   * @param limiter told of evictions
   * @param healthLog told of the SSDs' states
   * @param volumesNanos how long a read of the data volumes takes at present, in nanoseconds
   * @throws BadConfigurationException if a configured directory can never be used; then none stays
   *     open
   */
  public static SsdDirectories open(LocalCacheConfig config, String datanodeUuid,
      BlockIndex index, KeptState kept, MemoryTier memory, CacheRateLimiter limiter,
      LocalCacheMetrics metrics, HealthLog healthLog, LongSupplier volumesNanos)
      throws BadConfigurationException {
    SsdOpener opener = new SsdOpener(
        config, datanodeUuid, index, memory, limiter, metrics, healthLog, volumesNanos);
    SsdDirectories all = new SsdDirectories(config, index, kept, opener);
    Map<Path, Attempt<SsdDirectory>> attempts = new LinkedHashMap<>();
    config.directories().forEach(path -> attempts.put(path, all.beginToOpen(path)));
    for (Map.Entry<Path, Attempt<SsdDirectory>> attempt : attempts.entrySet()) {
      try {
        all.begin(attempt.getValue().get());
      } catch (IOException | RuntimeException e) {
        if (e instanceof UnusableDirectoryException unusable
            && config.configuredDirectories().contains(attempt.getKey())) {
          attempts.values().forEach(SsdDirectories::close);
          all.checks.stopNow();
          throw unusable.ofConfiguration();
        }
        all.addAbsent(attempt.getKey(), ErrorText.of(e));
      }
    }
    // The list of SSDs that is known does not name them; theirs may be newer.
    kept.perhapsNewer().forEach((path, why) -> {
      if (config.configuredDirectories().contains(path) && !config.directories().contains(path)) {
        all.absent.add(path, why, () -> kept.readUnused(path.resolve(datanodeUuid)));
      }
    });
    return all;
  }

  private Attempt<SsdDirectory> beginToOpen(Path path) {
    return new Attempt<>(
        "local-cache-open-" + path, opener.patienceNanos(), () -> open(path));
  }

  /**
   * Opens an SSD, and reads its saved state before a page is served or filled: it may say that the
   * local cache is off.
   */
  SsdDirectory open(Path path) throws IOException {
    SsdDirectory ssd;
    try {
      ssd = opener.open(path);
    } catch (FileSystemException e) {
      // Its message is a file, and the system's words.
      throw new IOException("cannot be opened: " + ErrorText.of(e), e);
    }
    try {
      ssd.readState(kept);
      return ssd;
    } catch (IOException | RuntimeException | Error e) {
      // Left open, it would be locked against the next attempt.
      ssd.close();
      throw e;
    }
  }

  private static void close(Attempt<SsdDirectory> attempt) {
    try {
      attempt.get();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Local cache: could not open an SSD", e);
    } finally {
      attempt.giveUp();
    }
  }

  /**
   * Retries from time to time to open an SSD, which is down until then.
   *
   * @return whether it is open, because an earlier attempt has succeeded meanwhile
   */
  synchronized boolean addAbsent(Path path, String reason) {
    boolean isOpen = places.ssdAt(path) != null;
    if (!closing && !isOpen) {
      set(places.with(new Place(path, null, false)));
      absent.add(path, reason, () -> takeIn(path));
      opener.healthLog().changed(path, null, SsdState.DOWN, reason);
    }
    return isOpen;
  }

  /** An attempt to use a directory has failed: says why, if it is down. */
  void failed(Path path, String reason) {
    SsdDirectory ssd = places.ssdAt(path);
    if (ssd == null) {
      absent.failed(path, reason);
    } else {
      ssd.io().health().stillDown(reason);
    }
  }

  private void takeIn(Path path) throws IOException {
    SsdDirectory ssd = open(path);
    if (begin(ssd, place -> place != null && place.ssd() == null)) {
      opener.healthLog().changed(ssd.path(), SsdState.DOWN, SsdState.NORMAL, "");
    }
  }

  /**
   * As {@link #begin}, for an SSD that is not in use. Refused while it is not known what was saved:
   * perhaps that the local cache is off. What the SSD has is known.
   */
  void beginNew(SsdDirectory ssd) throws IOException {
    String unknown = kept.unknown();
    if (!unknown.isEmpty()) {
      close(List.of(ssd));
      throw new IOException(unknown);
    }
    begin(ssd);
  }

  /** Starts to use an SSD; if that fails, nothing is changed, and it is closed as soon as it answers. */
  void begin(SsdDirectory ssd) throws IOException {
    if (!begin(ssd, place -> true)) {
      throw new IOException("the DataNode is shutting down");
    }
  }

  private boolean begin(SsdDirectory ssd, Predicate<Place> isWanted) throws IOException {
    boolean began = false;
    try {
      began = enter(ssd, isWanted);
    } finally {
      // As in open, but this may be the thread that starts the DataNode.
      if (!began) {
        close(List.of(ssd));
      }
    }
    return began;
  }

  /** Waits for no SSD while it holds the monitor. @return false if it is not to be used */
  private synchronized boolean enter(SsdDirectory ssd, Predicate<Place> isWanted)
      throws IOException {
    if (closing || !isWanted.test(places.at(ssd.path()))) {
      return false;
    }
    Places before = places;
    opener.promise(ssd);
    try {
      exchange(ssd.path(),
          now -> new Place(ssd.path(), ssd, now != null && now.isDrained()));
      if (arrived != null) {
        use(ssd);
      }
      absent.remove(ssd.path());
      return true;
    } catch (RuntimeException | Error e) {
      set(before);
      throw e;
    }
  }

  /**
   * Ends the use of an SSD that was removed from {@link #places}, so nobody finds it any more. Waits
   * only a moment for one that does not answer.
   *
   * @return number of pages that it had
   */
  long end(Place place) {
    absent.remove(place.path());
    SsdDirectory ssd = place.ssd();
    if (ssd == null) {
      return 0;
    }
    ssd.useNoMore();
    long pages = ssd.pages().count();
    departed.accept(ssd);
    kept.leave(ssd.root(), closeNanos(ssd));
    forEachAtOnce(List.of(ssd), "close", SsdDirectories::closeNanos, SsdDirectory::leave);
    return pages;
  }

  /** @return the SSDs at this moment. */
  Places places() {
    return places;
  }

  /**
   * Changes the place of an SSD, which may just have been taken in. Sets the SSD's capacity.
   *
   * @param change gets the present place, and returns the new one; null: none
   * @return the previous place
   */
  synchronized Place exchange(Path path, UnaryOperator<Place> change) {
    Place before = places.at(path);
    Place now = change.apply(before);
    if (now == null) {
      set(places.without(path));
    } else {
      limit(now);
      set(places.with(now));
    }
    return before;
  }

  /** Sets the capacity of an SSD, which may have been opened with another one. */
  private void limit(Place place) {
    SsdDirectory ssd = place.ssd();
    if (ssd != null) {
      long bytes = place.isDrained() ? 0 : opener.space().promisedTo(place.path());
      // The same one would only change how fast pages leave.
      if (bytes != ssd.configuredBytes()) {
        ssd.setCapacity(bytes);
      }
    }
  }

  private void set(Places now) {
    places = now;
    opener.space().retain(now.paths());
    long mostWaiting = opener.mostWaiting(now.open().size());
    now.open().forEach(ssd -> ssd.writes().setLimit(mostWaiting));
    tellCapacity();
  }

  /** Tells a listener the capacity for pages on the SSDs that get blocks: now and on changes. */
  public synchronized void tellCapacity(CapacityListener listener) {
    capacityListener = listener;
    tellCapacity();
  }

  private void tellCapacity() {
    capacityListener.capacity(places.inUse().size(), capacity());
  }

  /**
   * @return bytes for pages on the SSDs that get blocks. One whose size is not known, because it was
   *     down since the start, counts as the mean of the others
   */
  public long capacity() {
    List<Path> inUse = places.inUse();
    // That of an SSD which is just being replaced is known, too.
    long[] known = inUse.stream().mapToLong(opener.space()::promisedTo)
        .filter(promised -> promised > 0).toArray();
    long bytes = LongStream.of(known).sum();
    long ofUnknown = known.length == 0 ? opener.capacityOfUnknown() : bytes / known.length;
    return bytes + (inUse.size() - known.length) * ofUnknown;
  }

  /** @return what opens more SSDs. */
  SsdOpener opener() {
    return opener;
  }

  /**
   * Finds the SSD for the pages of a block. A block stays with its SSD when another one is broken.
   *
   * @return the SSD, or null if it cannot be used: no page of the block is cached then
   */
  public SsdDirectory of(BlockKey key) {
    CachedBlock block = index.get(key);
    return block != null ? SsdDirectory.of(block) : places.ssdAt(places.choose(key));
  }

  /** @return whether pages of the block may be written now. */
  public boolean mayFill(BlockKey key) {
    SsdDirectory ssd = of(key);
    if (ssd == null || !ssd.io().health().mayFill()) {
      return false;
    }
    Place place = places.at(ssd.path());
    return place != null && !place.isDrained();
  }

  /** @return the state of all SSDs, sorted by their paths. */
  public List<SsdReport> reports() {
    return places.reports(absent.reasons());
  }

  /** @return the state of the SSD where the pages of a block are, or would be. */
  public SsdReport reportOf(BlockKey key) {
    CachedBlock block = index.get(key);
    Path path = block != null ? block.ssd().path() : places.choose(key);
    // Read once: an SSD may be added or removed at any time.
    Place place = places.at(path);
    return place != null ? Places.report(place, absent.reasons())
        : path != null ? SsdReport.absent(path, "no longer used", false)
        : SsdReport.NONE;
  }

  /** @return why nothing can be deleted from an SSD, as far as known; else empty. */
  public String trouble(Path path) {
    Place place = places.at(path);
    if (place == null) {
      return "";
    }
    SsdReport report = Places.report(place, absent.reasons());
    return report.state() != SsdState.NORMAL ? report.state() + ": " + report.reason()
        : kept.cannotDelete(place.ssd().root());
  }

  /** @return whether an SSD may have pages that are not restored yet. */
  public boolean isRestoring(Path path) {
    SsdDirectory ssd = places.ssdAt(path);
    return ssd == null || ssd.isRestoring();
  }

  /** @return all SSDs that are open, in the order of the configuration. */
  public List<SsdDirectory> all() {
    return places.open();
  }

  /** @return the directories that get blocks, whether or not their SSDs can be used now. */
  public List<Path> inUse() {
    return places.inUse();
  }

  /** @return all directories, including drained and unusable ones. */
  public List<Path> paths() {
    return places.paths();
  }

  /**
   * Changes the capacity of all SSDs. Waits for none: the size of each is known from when it was
   * opened. If the capacity is lower, pages are evicted in the background. SSDs that cannot be used
   * yet are not checked; drained ones keep none.
   *
   * @return bytes of the pages that exceed it, by the directories of their SSDs
   * @throws BadConfigurationException if one of these is too small; then nothing is changed
   */
  public synchronized Map<Path, Long> changeCapacity(Capacity capacity)
      throws BadConfigurationException {
    List<Path> open = inUse().stream().filter(path -> places.ssdAt(path) != null).toList();
    opener.changeCapacity(capacity, open);
    open.forEach(path -> limit(places.at(path)));
    tellCapacity();
    Map<Path, Long> tooMuch = new LinkedHashMap<>();
    open.forEach(path ->
        tooMuch.put(path, places.ssdAt(path).usedBytes() - opener.space().promisedTo(path)));
    tooMuch.values().removeIf(bytes -> bytes <= 0);
    return tooMuch;
  }

  /**
   * Starts watching the space on the SSDs, and retrying those that cannot be used yet.
   *
   * @param arrival told of each SSD whose pages are to be restored: now, when it is opened later,
   *     and when its directory reappears
   * @param departure told of each SSD that is no longer used, before it is closed
   * @param trimming evicts some of an SSD's pages beyond their quotas
   */
  public synchronized void start(Consumer<SsdDirectory> arrival, Consumer<SsdDirectory> departure,
      Consumer<SsdDirectory> trimming) {
    trim = trimming;
    arrived = arrival;
    departed = departure;
    all().forEach(this::use);
    absent.start();
  }

  private void use(SsdDirectory ssd) {
    ssd.beginUpkeep(() -> trim.accept(ssd), () -> kept.refresh(ssd.root()));
    ssd.onReturn(this::arrive);
    arrive(ssd);
  }

  /** A directory may come back while its SSD is removed. */
  private synchronized void arrive(SsdDirectory ssd) {
    if (places.ssdAt(ssd.path()) != ssd) {
      return;
    }
    arrived.accept(ssd);
    kept.use(ssd.root(), ssd.wear());
  }

  /**
   * Saves on all SSDs in parallel what the next start needs. Waits no longer than a write may take;
   * the pages of an SSD that does not answer only lose their order.
   */
  public void keep() {
    forEachAtOnce(all(), "keep", ssd -> opener.patienceNanos(), SsdDirectory::keep);
  }

  /** Runs it on all SSDs in parallel, each in its own thread. An SSD that hangs is left behind. */
  private static void forEachAtOnce(List<SsdDirectory> ssds, String what,
      ToLongFunction<SsdDirectory> patienceNanos, ConsumerRaisingIOE<SsdDirectory> work) {
    Map<SsdDirectory, Attempt<Void>> attempts = new LinkedHashMap<>();
    for (SsdDirectory ssd : ssds) {
      attempts.put(ssd, new Attempt<>("local-cache-" + what + "-" + ssd.path(),
          patienceNanos.applyAsLong(ssd), SsdIo.Io.of(() -> work.accept(ssd))));
    }
    attempts.forEach((ssd, attempt) -> {
      try {
        attempt.get();
      } catch (IOException | RuntimeException e) {
        LOG.warn("Local cache: could not {} {}: {}", what, ssd.path(), ErrorText.of(e));
      }
    });
  }

  private static long closeNanos(SsdDirectory ssd) {
    return ssd.mayRead() ? CLOSE_NANOS : CLOSE_DOWN_NANOS;
  }

  /** Opens no more SSDs. */
  public synchronized void stopTakingIn() {
    closing = true;
    absent.close();
  }

  /** Stops writing and removing, except for the state saved for the restart. */
  public void endWork() {
    // In parallel: each may wait for its SSD, unless that is known not to answer.
    TimeAndThreads.get().forEachAtOnce(all(), SsdDirectory::endWork);
  }

  /** Closes all SSDs. One that hangs is left behind, because the DataNode has to stop. */
  @Override
  public void close() {
    stopTakingIn();
    checks.stopNow();
    close(all());
  }

  private static void close(List<SsdDirectory> ssds) {
    forEachAtOnce(ssds, "close", SsdDirectories::closeNanos, SsdDirectory::close);
  }
}
