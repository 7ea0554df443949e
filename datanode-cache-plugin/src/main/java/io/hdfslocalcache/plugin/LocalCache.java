/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.fill.FillFailures;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.fill.Fills;
import io.hdfslocalcache.plugin.fill.PageFiller;
import io.hdfslocalcache.plugin.fill.PageWriter;
import io.hdfslocalcache.plugin.fill.Volume;
import io.hdfslocalcache.plugin.health.HealthLog;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.index.Ssd;
import io.hdfslocalcache.plugin.invalidation.ReplicaChanges;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.read.CachedPages;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.PageFetches;
import io.hdfslocalcache.plugin.read.ReadThrough;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.restore.Restorer;
import io.hdfslocalcache.plugin.rules.Pins;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.rules.Rules;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.settings.SsdCommands;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.SsdChanges;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.StateFile;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.IOUtils;

/**
 * The local cache of one DataNode: the front door.
 *
 * <p>A read goes through {@link #read}, which shows all its outcomes. A change of a replica goes
 * through {@link #changes}.
 *
 * <p>Correctness rests on the key and not on invalidation: pages are stored by block pool, block id
 * and generation stamp, and the DataNode looks them up by its replica map's present state.
 * Invalidation frees the space, and makes sure that deleted data is gone.
 *
 * <p>No method that a read or a change calls throws. Failures are counted, and the DataNode
 * continues as if there were no local cache.
 */
public final class LocalCache implements Closeable {

  /** Time limit for the last copies of the saved state; everything important was written before. */
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final LocalCacheConfig config;
  private final int pageSize;
  private final OnOff onOff;
  private final CacheRateLimiter limiter;
  private final ReplicaAccess replicas;
  private final LocalCacheMetrics metrics;
  private final BlockIndex index = new BlockIndex();
  private final MemoryTier memory;
  private final SsdDirectories directories;
  private final PageFiller filler;
  private final Fills fills;
  private final Admission admission;
  private final Volume.All volumes = new Volume.All(TimeAndThreads.get()::nanoTime);
  private final CachedPages pages;
  private final ReadThrough readThrough;
  /** Counts what the local cache would do; null unless this is a dry run. */
  private final DryRunReads dryRun;
  private final LongAdder readsInProgress = new LongAdder();
  private final Restorer restorer;
  private final ReplicaChanges changes;
  private final RuleKeeper rules;
  private final Rules rulesInForce;
  private final Pins pins;
  private final KeptState kept;
  private volatile SsdCommands ssdCommands;
  private volatile RuntimeSettings settings;
  private volatile boolean shuttingDown;

  /**
   * Opens the local cache, and begins to restore the pages in its directories.
   *
   * @param config the settings
   * @param onOff the operator's switch
   * @param limiter decides on admission; must not throw
   * @param replicas the DataNode's replicas
   * @param datanodeUuid separates DataNodes that share a directory
   * @param errorReport reports a failed SSD to the NameNodes
   * @param rules the operator's rules; closed with this
   * @param kept the state saved before the restart; gets a copy on each SSD
   * @throws IOException if a directory cannot be opened
   */
  public LocalCache(LocalCacheConfig config, OnOff onOff, CacheRateLimiter limiter,
      ReplicaAccess replicas, LocalCacheMetrics metrics, String datanodeUuid,
      Consumer<String> errorReport, RuleKeeper rules, KeptState kept) throws IOException {
    this.rules = rules;
    this.rulesInForce = rules.rules();
    this.kept = kept;
    this.pins = new Pins(rules, kept);
    this.config = config;
    this.pageSize = config.pageSize();
    this.onOff = onOff;
    this.limiter = limiter;
    this.replicas = replicas;
    this.metrics = metrics;
    BufferPool buffers = BufferPool.ofJvm(pageSize);
    this.memory = new MemoryTier(MemoryLimits.of(config.memoryDirectory(), config.memoryBytes(),
        pageSize), pageSize, buffers, TimeAndThreads.get()::nanoTime);
    this.directories = SsdDirectories.open(config, datanodeUuid, index, kept, memory, limiter,
        metrics, new HealthLog(metrics, errorReport, TimeAndThreads.get()::nanoTime),
        volumes::meanWaitNanos);
    this.changes = new ReplicaChanges(index, directories, memory, metrics);
    PageFetches fetches = new PageFetches(buffers, memory);
    this.pages = new CachedPages(
        onOff::isOn, memory, fetches, metrics);
    onOff.tell(memory::setOpen);
    directories.tellCapacity(limiter::capacity);
    this.admission = new Admission(
        onOff::isOn, rules.rules()::knowsPages, directories, limiter, replicas, index,
        changes::remove, metrics);
    PageWriter writer = new PageWriter(admission, rulesInForce, metrics);
    this.filler = new PageFiller(pageSize, replicas, index, metrics, buffers, admission,
        PageFiller.pace(config.fillRate()), writer);
    this.fills = new Fills(config, filler::fill, metrics);
    this.readThrough = new ReadThrough(replicas, fetches, fills, writer, admission,
        this::volumeOf, metrics, config.healthLimits().deadlineNanos());
    this.dryRun = !config.dryRun() ? null : new DryRunReads(
        admission, index, writer, metrics, pageSize);
    this.restorer = new Restorer(admission, metrics, rulesInForce::ownerOf, (ssd, fileId, page) -> {
      CachedBlock block = index.cached(ReplicaIdentity.blockOf(fileId));
      if (block != null && block.fileId().equals(fileId)) {
        fetches.moveIn(ssd, block, page);
      }
    });
    // A dry run saves nothing.
    if (!config.dryRun() && directories.all().isEmpty()) {
      limiter.restore(StateFile.UNKNOWN);
    }
    // From now on an SSD may come later.
    kept.onFound(this::useKept);
    rules.rules().shareAmong(() -> directories.inUse().size());
    directories.start(config.dryRun() ? ssd -> { } : restorer::restore, this::departed,
        rules.rules()::trim);
    if (!config.dryRun() && !directories.all().isEmpty()) {
      limiter.restore(kept);
    }
  }

  /**
   * An SSD is no longer used: its pages are not looked up any more. They leave memory even if it
   * hangs.
   */
  private void departed(SsdDirectory ssd) {
    restorer.forget(ssd);
    index.forEach(block -> {
      if (block.ssd() == ssd) {
        changes.clear(block, "its SSD is no longer used");
      }
    });
  }

  /** An SSD was opened that may have saved state not known yet. */
  private void useKept() {
    limiter.restore(kept);
    pins.restore();
    RuntimeSettings now = settings;
    if (now != null) {
      now.restore();
    }
    SsdCommands ssds = ssdCommands;
    if (ssds != null) {
      ssds.restore();
    }
  }

  /**
   * A client begins to read. The outcome is, in this order: a <em>hit</em> in pages, with missing
   * parts read through; a bypass; a <em>miss</em> of a block that is not admitted; or a miss that
   * <em>fills</em>, by the read's own visit to the disk, or later if the OS page cache serves it.
   * {@link SnapshotReader} continues from here, page by page.
   *
   * @param clientName empty if another DataNode reads
   * @param user user in the block token; null: not known
   * @param snapshot the replica as the DataNode's map shows it
   * @param known the generation stamp that the client knows; older than the replica's if an append
   *     began after the client opened the file
   * @param unfit why this replica cannot be cached, or null if it can
   * @param from first byte requested; not checked yet
   * @param length bytes requested; negative: all
   * @return the read, to be finished by the caller
   */
  public ClientRead read(String clientName, String user, ReplicaSnapshot snapshot, long known,
      ReadOutcome unfit, long from, long length) {
    long to = snapshot.end(from, length);
    readsInProgress.increment();
    try {
      boolean isClient = !clientName.isEmpty();
      RuleAccount rule = isClient ? rulesInForce.of(snapshot.key(), clientName, user) : null;
      CachedBlock entry = index.get(snapshot.key());
      ReadOutcome bypass =
          admission.begin(isClient, rule, snapshot.key(), entry, from, to, unfit);
      CachedBlock block = admission.pages(entry, snapshot, known, bypass, from, to);
      if (dryRun != null) {
        // To the clocks and the trace, it is a read without a local cache.
        return ClientRead.ofReplica(ended(dryRun.begin(rule, snapshot, bypass, block, from)),
            snapshot, from, to, ReadOutcome.BYPASS_OFF);
      }
      // The state before an append can be read only if the place of its files is known.
      if (block != null && (bypass == null || block.movedReplica() != null)) {
        ClientRead hit = fromPages(rule, block, readThrough.new MissedParts(block, rule), from, to);
        if (hit != null) {
          return hit;
        }
      }
      if (bypass != null) {
        return fromReplica(rule, snapshot, from, to, bypass);
      }
      if (!admission.admits(snapshot.key(), rule)) {
        return fromReplica(rule, snapshot, from, to, ReadOutcome.MISS_NOT_ADMITTED);
      }
      Volume volume = volumeOf(snapshot.key());
      ClientRead fill = volume.isMemory() ? filledLater(volume, rule, snapshot, from, to)
          : filled(rule, snapshot, from, to);
      return fill != null ? fill
          : fromReplica(rule, snapshot, from, to, ReadOutcome.MISS_ADMITTED);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.LOOKUP, e);
      return fromReplica(null, snapshot, from, to, ReadOutcome.BYPASS_ERROR);
    }
  }

  /** @param missed closed with the read @return null if the replica has changed meanwhile */
  private ClientRead fromPages(RuleAccount rule, CachedBlock block,
      ReadThrough.MissedParts missed, long from, long to) {
    SnapshotReader reader = null;
    ClientRead read = null;
    try {
      reader = new SnapshotReader(block, pages, missed, replicas);
      read = reader.holdReplica()
          ? ClientRead.ofPages(finished(rule, block), block.snapshot(), from, to, reader) : null;
      return read;
    } finally {
      if (read == null) {
        IOUtils.closeStream(reader);
        missed.close();
      }
    }
  }

  /** @return a read that the DataNode serves itself. */
  private ClientRead fromReplica(RuleAccount rule, ReplicaSnapshot snapshot, long from, long to,
      ReadOutcome outcome) {
    return ClientRead.ofReplica(finished(rule), snapshot, from, to, outcome);
  }

  /** @return a read that fills all it misses; null if that is not possible or not wanted. */
  private ClientRead filled(RuleAccount rule, ReplicaSnapshot snapshot, long from, long to) {
    if (from < 0 || from >= to || !admission.mayFill(snapshot.key())
        || !admission.isKeptUpWith(snapshot.key())) {
      return null;
    }
    int page = Math.toIntExact(from / pageSize);
    boolean isAdmitted = admission.admits(snapshot.key(), rule, page);
    if (!isAdmitted && (to - 1) / pageSize == page) {
      return null;
    }
    ReplicaFiles files = null;
    try {
      files = replicas.open(snapshot);
      CachedBlock block = admission.enter(snapshot, files, pageSize);
      if (block != null) {
        try {
          ReadThrough.MissedParts missed = readThrough.new MissedParts(block, rule, files)
              .asked(block.layout().pageOf(from), isAdmitted);
          files = null;
          return fromPages(rule, block, missed, from, to);
        } finally {
          block.removeReader();
        }
      }
    } catch (IOException e) {
      new FillFailures(replicas, metrics).failed(snapshot, e);
    } finally {
      IOUtils.closeStream(files);
    }
    return null;
  }

  /** @return a read from the OS page cache, whose bytes are filled afterwards. */
  private ClientRead filledLater(Volume volume, RuleAccount rule, ReplicaSnapshot snapshot,
      long from, long to) {
    ClientRead.Listener finished = finished(rule);
    return ClientRead.ofReplica((read, outcome, end) -> {
      try {
        if (from >= 0 && from < end) {
          volume.took(end - from, read.replicaNanos());
          if (admission.mayFill(snapshot.key())) {
            fills.missed(FillRequest.missed(volume, snapshot, rule, from, end));
          }
        }
      } catch (RuntimeException | Error e) {
        metrics.error(Operation.FILL_READ, e);
      }
      finished.finished(read, outcome, end);
    }, snapshot, from, to, ReadOutcome.MISS_ADMITTED);
  }

  private ClientRead.Listener finished(RuleAccount rule, CachedBlock block) {
    return ended((read, outcome, to) -> {
      count(rule, read, outcome, to);
      if (read.reader().filter(SnapshotReader::isReplicaMissing).isPresent()) {
        changes.clear(block, "a file of its replica is missing");
      }
    });
  }

  private ClientRead.Listener finished(RuleAccount rule) {
    return ended((read, outcome, to) -> count(rule, read, outcome, to));
  }

  private void count(RuleAccount rule, ClientRead read, ReadOutcome outcome, long to) {
    if (rule != null) {
      rule.read(outcome);
    }
    metrics.read(outcome, read.bytesFromPages(), read.bytesFromReplica(to));
    read.reader().ifPresent(
        reader -> metrics.add(Event.BYTES_MEMORY, reader.bytesFromMemory()));
  }

  /** @return a listener that counts an ended read, and one read less in progress. */
  private ClientRead.Listener ended(ClientRead.Listener count) {
    return (read, outcome, to) -> {
      try {
        count.finished(read, outcome, to);
      } catch (RuntimeException | Error e) {
        metrics.error(Operation.LOOKUP, e);
      } finally {
        readsInProgress.decrement();
      }
    };
  }

  /**
   * All replicas of a block pool are in the DataNode's replica map.
   *
   * @param nameServices returns the number of name services that the DataNode serves at the moment
   */
  public void blockPoolReady(String blockPoolId, IntSupplier nameServices) {
    restorer.blockPoolReady(blockPoolId, nameServices);
  }

  /** The DataNode ends: cached pages stay for its next start. May be called more than once. */
  public void shutdownBegins() {
    shuttingDown = true;
    restorer.stop();
  }

  /**
   * All replicas of a block pool are gone, or out of reach because the DataNode shuts down.
   *
   * @param moved opens the old state of the replicas, by block id, for reads in progress
   */
  public void blockPoolRemoved(String blockPoolId, LongFunction<ReplicaFiles.Opener> moved) {
    if (shuttingDown) {
      return;
    }
    try {
      restorer.blockPoolRemoved(blockPoolId);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.RESTORE, e);
    }
    changes.blockPoolRemoved(blockPoolId, moved);
  }

  /**
   * Lets operators change settings, and SSDs.
   *
   * @param newSettings the settings that can be changed
   */
  public void setSettings(RuntimeSettings newSettings) {
    newSettings.opened(directories);
    settings = newSettings;
    ssdCommands = new SsdCommands(directories, new SsdChanges(directories), newSettings);
    // Newer ones may have been found meanwhile.
    ssdCommands.restore();
  }

  /** @return the configuration that it was opened with. */
  public LocalCacheConfig config() {
    return config;
  }

  /** @return the operator's switch. */
  public OnOff onOff() {
    return onOff;
  }

  /** @return why no page may be written now; empty if pages may. */
  public String holdsBack() {
    return rules.rules().knowsPages() ? limiter.holdsBack()
        : "the blocks of rules' paths are being looked up";
  }

  /** @return the rate limiter, which decides on admission by heat. */
  public CacheRateLimiter limiter() {
    return limiter;
  }

  /** @return the DataNode's replicas. */
  public ReplicaAccess replicas() {
    return replicas;
  }

  /** @return the counters. */
  public LocalCacheMetrics metrics() {
    return metrics;
  }

  /** @return the decisions on reads and fills. */
  public Admission admission() {
    return admission;
  }

  /** @return the settings that can be changed; null: none. */
  public RuntimeSettings settings() {
    return settings;
  }

  /** @return the commands for SSDs; null: none. */
  public SsdCommands ssdCommands() {
    return ssdCommands;
  }

  /** @return the pages in memory. */
  public MemoryTier memory() {
    return memory;
  }

  /** @return the data volumes. */
  public Volume.All volumes() {
    return volumes;
  }

  /** @return how long a read waits for each data volume that was read lately, by its directory. */
  public SortedMap<String, Long> volumeWaits() {
    SortedMap<String, Long> nanos = volumes.waitNanos();
    // An operator may have removed one.
    replicas.retainVolumes(nanos.keySet());
    return nanos;
  }

  /** @return the data volume of a block's replica. */
  public Volume volumeOf(BlockKey key) {
    return volumes.of(replicas.volumeOf(key));
  }

  /** @return the SSDs. */
  public SsdDirectories directories() {
    return directories;
  }

  /** @return which blocks are cached. */
  public BlockIndex index() {
    return index;
  }

  /** @return the removal of pages whose replica changes. */
  public ReplicaChanges changes() {
    return changes;
  }

  /** @return number of reads in progress, including bypasses. */
  public long readsInProgress() {
    return readsInProgress.sum();
  }

  /** @return what runs the background fills. */
  public PageFiller filler() {
    return filler;
  }

  /** @return the background fills. */
  public Fills fills() {
    return fills;
  }

  /** @return whether fills are running or waiting. */
  public boolean isFilling() {
    // In this order: bytes are first read, then written.
    return !fills.isIdle()
        || directories.all().stream().anyMatch(ssd -> ssd.writes().waitingBytes() > 0);
  }

  /** @return the restore of pages after a restart. */
  public Restorer restore() {
    return restorer;
  }

  /** Assigns every page to its present rule. Those that are restored later are then assigned. */
  public void assignPages() {
    Map<Ssd, List<CachedPage>> pages = new HashMap<>();
    index.forEach(block -> pages.computeIfAbsent(block.ssd(), ssd -> new ArrayList<>())
        .addAll(block.cachedPages()));
    directories.all().forEach(ssd -> ssd.pages().assignOwners(
        pages.getOrDefault(ssd, List.of()), rulesInForce::ownerOf));
  }

  /** @return the operator's rules. */
  public RuleKeeper rules() {
    return rules;
  }

  /** @return the pins. */
  public Pins pins() {
    return pins;
  }

  /** @return the state that is saved for the next start. */
  public KeptState kept() {
    return kept;
  }

  /** The process ends: saves the state for the next start, as far as the SSDs answer. */
  public void keep() {
    limiter.close();
    TimeAndThreads.get().forEachAtOnce(
        List.<Runnable>of(directories::keep, () -> kept.keep(CLOSE_NANOS)), Runnable::run);
  }

  /** Waits a while for background work, and closes all files. */
  @Override
  public void close() {
    try {
      // First: the DataNode may end the process two seconds after its last block pool has stopped.
      keep();
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.RESTORE, e);
    }
    directories.stopTakingIn();
    rules.close();
    volumes.close();
    fills.close();
    directories.endWork();
    restorer.close();
    changes.close();
    index.clear();
    // With what was written, and the limiter that was set, meanwhile.
    limiter.close();
    kept.keep(CLOSE_NANOS);
    directories.close();
    memory.close();
  }
}
