/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import javax.management.ObjectName;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.OnOff;
import io.hdfslocalcache.plugin.admin.LocalCacheAdminService;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.RuleSettings;
import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.dryrun.DryRunSwitch;
import io.hdfslocalcache.plugin.dryrun.Ghosts;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Gauges;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.metrics.ReadTimes;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.store.DirectoryCheck;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import io.hdfslocalcache.ratelimit.TickingClock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.InterceptedRead;
import org.apache.hadoop.hdfs.server.datanode.ReadingClient;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local cache as the DataNode sees it. Named in
 * {@link BlockReaderInterceptor#CLASS_KEY dfs.datanode.block.reader.interceptor.class}.
 */
public class LocalCacheInterceptor implements BlockReaderInterceptor, LocalCacheMXBean {

  private static final Logger LOG = LoggerFactory.getLogger(LocalCacheInterceptor.class);

  /** Before Hadoop's own hooks, whose end the user may not want to wait for. */
  private static final int EXIT_PRIORITY = 50;

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private LocalCacheConfig config;
  private ReadTimes readTimes;
  private final TickingClock clock = new TickingClock();
  private RuntimeSettings settings;
  private SafeRateLimiter limiter;
  private RuleKeeper rules;
  private Path pinsDirectory;
  private OnOff onOff;
  private String sourceName;
  private ObjectName beanName;
  private volatile LongSupplier shortCircuitOpens = () -> 0;
  private volatile LocalCache cache;
  private volatile ReadTrace trace;
  private DryRun dryRun = DryRun.none();
  private final Runnable atExit = this::saveOrder;

  @Override
  public void start(DataNode datanode) throws IOException {
    Configuration conf = datanode.getConf();
    config = read(withoutRestoreAtRollback(conf));
    readTimes = new ReadTimes(metrics, config.slowReadNanos());
    settings = new RuntimeSettings(conf, clock);
    limiter = settings.limiter();
    dryRun = new DryRun(DryRunConfig.from(conf), datanode.getDisplayName());
    trace = new ReadTrace(TraceConfig.from(conf, logDirectory()),
        "datanode-" + datanode.getIpcPort(), this::traced);
    boolean traceNow = TraceConfig.enabled(conf);
    RuleSettings ruleSettings = RuleSettings.from(conf);
    rules = rules(ruleSettings, metrics);
    pinsDirectory = ruleSettings.pinsDirectory() != null || config.directories().isEmpty()
        ? ruleSettings.pinsDirectory() : config.directories().get(0);
    DirectoryCheck.check(config, dataDirectories(conf));
    shortCircuitOpens = ShortCircuitOpens.of(datanode.getMetrics());
    onOff = new OnOff(config.enabled() || dryRun.isAll(),
        () -> dryRun.isAll() || !config.directories().isEmpty(), metrics);
    LocalCacheAdminService.register(conf, datanode.ipcServer,
        new DryRunSwitch(onOff, dryRun.isAll(), dryRun::status), this::view, trace);
    sourceName = LocalCacheMetricsSource.RECORD + "-"
        + datanode.getDisplayName().replace(':', '-');
    DefaultMetricsSystem.instance().register(sourceName, "The DataNode's local cache",
        new LocalCacheMetricsSource(metrics, this::gauges, limiter::metrics, rules.rules()::status));
    beanName = MBeans.register("DataNode", "LocalCache", this);
    if (traceNow) {
      trace.start();
    }
    LOG.info("Local cache is {}: {}",
        dryRun.isAll() ? "in a dry run" : config.enabled() ? "on" : "off", config);
  }

  /** Reads the settings. Tests have others. */
  LocalCacheConfig read(Configuration conf) throws BadConfigurationException {
    return LocalCacheConfig.from(conf);
  }

  private static Path logDirectory() {
    return Path.of(System.getProperty("hadoop.log.dir", System.getProperty("java.io.tmpdir")));
  }

  private void traced(ReadTrace.Fate fate) {
    metrics.count(
        fate == ReadTrace.Fate.TRACED ? Event.TRACED_READS : Event.TRACE_DROPPED_READS);
  }

  /**
   * A rollback takes generation stamps back, which are then given again to other bytes: the one
   * case in which a page of before is no longer told apart by its key.
   */
  private static Configuration withoutRestoreAtRollback(Configuration conf) {
    String option = conf.get(DFSConfigKeys.DFS_DATANODE_STARTUP_KEY, "");
    if (!option.equals(StartupOption.ROLLBACK.toString())) {
      return conf;
    }
    LOG.info("Local cache: this is a rollback, pages of before are cleared");
    Configuration cleared = new Configuration(conf);
    cleared.setBoolean(LocalCacheKeys.RESTORE, false);
    return cleared;
  }

  private static RuleKeeper rules(RuleSettings settings, LocalCacheMetrics metrics)
      throws BadConfigurationException {
    try {
      return new RuleKeeper(
          settings.file(), settings.intervalMillis(), settings.maxBlocks(), metrics);
    } catch (BadRulesException e) {
      throw new BadConfigurationException(LocalCacheKeys.RULES_FILE + " = " + e.getMessage(), e);
    }
  }

  private static List<URI> dataDirectories(Configuration conf) {
    return DataNode.getStorageLocations(conf).stream()
        .map(location -> location.getUri()).toList();
  }

  @Override
  public void storageReady(DataNode datanode) throws IOException {
    if (cache == null && !config.directories().isEmpty()) {
      clock.start();
      LocalCache opened = new LocalCache(config, onOff, limiter,
          new DatasetReplicaAccess(datanode), metrics, datanode.getDatanodeUuid(),
          message -> BlockReaderInterceptor.reportError(datanode, message), rules);
      opened.setSettings(settings);
      cache = opened;
      rules.pins().open(pinsDirectory.resolve(datanode.getDatanodeUuid()),
          config.directories().contains(pinsDirectory), config.healthLimits().writeDeadlineNanos());
      rules.start(NameNodeBlocks.of(datanode.getConf(), datanode.getDatanodeUuid()),
          cache::assignPages);
      // SIGTERM, the ordinary way to stop a DataNode, does not go through its shutdown.
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().addShutdownHook(atExit, EXIT_PRIORITY);
      }
    }
    if (dryRun.isWanted()) {
      clock.start();
      boolean isFirst = dryRun.ghosts() == null;
      dryRun.start(new DatasetReplicaAccess(datanode), onOff::isOn, clock);
      if (isFirst && cache == null && !rules.file().isEmpty()) {
        rules.start(NameNodeBlocks.of(datanode.getConf(), datanode.getDatanodeUuid()),
            () -> false);
      }
    }
  }

  private void saveOrder() {
    LocalCache open = cache;
    if (open != null) {
      open.saveOrder();
    }
  }

  @Override
  public InterceptedRead beginRead(ReadingClient client, ExtendedBlock block, Replica replica,
      long offset, long length) {
    LocalCache open = cache;
    try {
      ReplicaSnapshot snapshot = snapshot(block.getBlockPoolId(), replica);
      TraceEntry entry = TraceEntry.begin(trace, client, snapshot.key());
      String user = user(client);
      ReadOutcome bypass = bypass(replica);
      Ghosts.Reading ghosts = dryRun.ghosts() == null ? null : dryRun.beginRead(client.name(),
          rules.rules().of(snapshot.key(), client.name(), user), snapshot,
          block.getGenerationStamp(), bypass, offset, length);
      if (open != null) {
        return new HdfsRead(open.beginRead(client.name(), user, snapshot,
            block.getGenerationStamp(), bypass, offset, length), entry, readTimes, ghosts);
      }
      return entry == null && ghosts == null ? null : new HdfsRead(
          ClientRead.withoutLocalCache(snapshot, offset, length), entry, readTimes, ghosts);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.LOOKUP, e);
      return null;
    }
  }

  /** @return who reads; null if that is not known, or of no interest. */
  private String user(ReadingClient client) {
    String user = rules.rules().asksForUser() ? client.user() : "";
    return user.isEmpty() ? null : user;
  }

  private static ReplicaSnapshot snapshot(String bpid, Replica replica) {
    return new ReplicaSnapshot(new BlockKey(bpid, replica.getBlockId()),
        replica.getGenerationStamp(), replica.getNumBytes());
  }

  private static ReadOutcome bypass(Replica replica) {
    if (replica.getState() != ReplicaState.FINALIZED) {
      return ReadOutcome.BYPASS_NOT_FINALIZED;
    }
    return DatasetReplicaAccess.isOnLocalDisk(replica) ? null : ReadOutcome.BYPASS_UNSUPPORTED;
  }

  @Override
  public void replicaChanged(String bpid, Replica before, Replica after) {
    LocalCache open = cache;
    if (open == null && dryRun.ghosts() == null) {
      return;
    }
    try {
      boolean isFinalized = after != null && after.getState() == ReplicaState.FINALIZED;
      BlockKey key = new BlockKey(bpid, before.getBlockId());
      ReplicaSnapshot now = isFinalized ? snapshot(bpid, after) : null;
      if (open != null) {
        open.changes().replicaChanged(key, now, isAppend(before, after),
            () -> OpenReplicaFiles.ofLeaving(before, after),
            after == null ? "replica removed" : "replica changed to " + after.getState());
      }
      dryRun.replicaChanged(key, now, isAppend(before, after));
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  /** An append that fails half-way and is recovered goes on with yet another replica. */
  private static boolean isAppend(Replica before, Replica after) {
    return after != null && after.getState() == ReplicaState.RBW
        && (before.getState() == ReplicaState.FINALIZED || before.getState() == ReplicaState.RBW);
  }

  @Override
  public void blockPoolReady(DataNode datanode, String bpid) {
    LocalCache open = cache;
    try {
      if (open != null) {
        open.blockPoolReady(bpid, datanode.getBpOsCount());
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.RESTORE, e);
    }
  }

  @Override
  public void shutdownBegins() {
    LocalCache open = cache;
    if (open != null) {
      open.shutdownBegins();
    }
    dryRun.shutdownBegins();
  }

  @Override
  public void blockPoolRemoved(String bpid, LongFunction<Replica> left) {
    LocalCache open = cache;
    if (open != null) {
      open.blockPoolRemoved(bpid, id -> () -> OpenReplicaFiles.ofLeaving(left.apply(id), null));
    }
    dryRun.blockPoolRemoved(bpid);
  }

  private LocalCacheView view() {
    LocalCache open = cache;
    return open == null ? null : open.view();
  }

  private Gauges gauges() {
    LocalCache open = cache;
    if (open == null) {
      return new Gauges(false, limiter.errors(), shortCircuitOpens(), 0, 0, 0, 0, 0, 0, false, 0,
          LocalCacheMetricsSource.Memory.NONE, List.of(), Map.of());
    }
    return new Gauges(onOff.isOn(), limiter.errors(), shortCircuitOpens(),
        open.readsInProgress(),
        open.index().pages(), open.index().blocks(), open.fills().queuedPages(),
        open.invalidations().lastLagMillis(), open.invalidations().waitingMillis(),
        open.restore().isInProgress(), open.restore().millis(), open.memory().gauges(),
        SsdStatus.figures(open.directories()), open.volumeWaits().nanosByVolume());
  }

  @Override
  public boolean isOn() {
    return onOff.isOn() && !isDryRun();
  }

  @Override
  public boolean isDryRun() {
    return dryRun.isAll();
  }

  @Override
  public List<SsdStatus> getDirectories() {
    LocalCache open = cache;
    return open == null ? List.of() : SsdStatus.all(open.directories());
  }

  /** @return the local cache, or null before the DataNode's storage is ready. */
  public LocalCache cache() {
    return cache;
  }

  /** @return what the local cache counts. */
  public LocalCacheMetrics metrics() {
    return metrics;
  }

  /** @return number of exceptions in the rate limiter. */
  public long admissionErrors() {
    return limiter.errors();
  }

  /** @return what the rate limiter measures, by name. */
  public Map<String, Long> admissionMetrics() {
    return limiter.metrics();
  }

  /** @return number of replicas opened for short-circuit reads; negative if it is not known. */
  public long shortCircuitOpens() {
    return shortCircuitOpens.getAsLong();
  }

  /** @return what is only played through, or null before the DataNode's storage is ready. */
  public Ghosts ghosts() {
    return dryRun.ghosts();
  }

  /** @return the operator's switch. */
  public OnOff onOff() {
    return onOff;
  }

  @Override
  public void close() {
    if (sourceName != null) {
      DefaultMetricsSystem.instance().unregisterSource(sourceName);
    }
    MBeans.unregister(beanName);
    if (trace != null) {
      trace.close();
    }
    clock.close();
    dryRun.close();
    LocalCache open = cache;
    if (open != null) {
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(atExit);
      }
      cache = null;
      open.close();
    } else if (rules != null) {
      rules.close();
    }
  }
}
