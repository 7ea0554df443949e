/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.IOException;
import java.util.function.LongFunction;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.admin.LocalCacheAdminService;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.UnknownKeys;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.rules.Rules;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.mount.DirectoryCheck;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import io.hdfslocalcache.time.TickingClock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.InterceptedRead;
import org.apache.hadoop.hdfs.server.datanode.ReadingClient;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local cache as the DataNode sees it. Named in
 * {@link BlockReaderInterceptor#CLASS_KEY dfs.datanode.block.reader.interceptor.class}.
 */
public class LocalCacheInterceptor implements BlockReaderInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCacheInterceptor.class);

  /** Runs before Hadoop's own hooks, which may take long or be killed. */
  private static final int EXIT_PRIORITY = 50;

  private final int leastPageSize;
  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private final TickingClock clock = new TickingClock();
  private StartConfig start;
  private RuntimeSettings settings;
  private RuleKeeper rules;
  private Rules rulesInForce;
  private OnOff onOff;
  private Monitoring monitoring;
  private volatile LocalCache cache;
  private volatile ReadTrace trace;
  private final Runnable atExit = this::keep;

  /** Called by the DataNode. */
  public LocalCacheInterceptor() {
    this(LocalCacheConfig.LEAST_PAGE_SIZE);
  }

  /** For tests with many small pages. @param leastPageSize minimum bytes in a page */
  public LocalCacheInterceptor(int leastPageSize) {
    this.leastPageSize = leastPageSize;
  }

  @Override
  public void start(DataNode datanode) throws IOException {
    try {
      begin(datanode);
    } catch (LinkageError e) {
      throw BlockReaderInterceptor.unusable(getClass().getName(), e);
    }
  }

  private void begin(DataNode datanode) throws IOException {
    LimiterLog.open();
    Configuration conf = datanode.getConf();
    start = read(conf);
    LocalCacheConfig config = start.cache();
    metrics.setSlowNanos(config.slowReadNanos());
    settings = new RuntimeSettings(
        conf, clock::millis, error -> metrics.error(Operation.ADMISSION, error));
    trace = new ReadTrace(start.trace(), "datanode-" + datanode.getIpcPort(), metrics);
    rules = start.openRules(metrics);
    rulesInForce = rules.rules();
    DirectoryCheck.check(config);
    onOff = config.dryRun() ? OnOff.ofDryRun(metrics)
        : new OnOff(config.enabled(), !config.directories().isEmpty(), metrics);
    LocalCacheAdminService.register(conf, datanode.ipcServer, onOff, this::view, trace);
    monitoring = new Monitoring(
        datanode, metrics, onOff, settings.limiter(), rulesInForce::status, () -> cache);
    if (config.directories().isEmpty()) {
      sayState(config);
    }
  }

  /** Said once it is final: an earlier command may have switched the local cache. */
  private void sayState(LocalCacheConfig config) {
    LOG.info("Local cache is {}: {}",
        onOff.isDryRun() ? "in a dry run" : onOff.isOn() ? "on" : "off", config);
  }

  /** Reads the configuration, and logs misspelt keys. Tests override it. */
  StartConfig read(Configuration conf) throws BadConfigurationException {
    UnknownKeys.of(conf).forEach(line -> LOG.warn("Local cache: {}", line));
    return StartConfig.read(conf, leastPageSize);
  }

  @Override
  public void storageReady(DataNode datanode) throws IOException {
    if (cache == null && !start.cache().directories().isEmpty()) {
      open(datanode);
    }
  }

  private void open(DataNode datanode) throws IOException {
    clock.start();
    KeptState kept = start.kept(datanode.getDatanodeUuid());
    LocalCacheConfig config =
        settings.open(kept, onOff, datanode.getDatanodeUuid(), start.cache());
    sayState(config);
    LocalCache opened = new LocalCache(config, onOff, settings.limiter(),
        new DatasetReplicaAccess(datanode), metrics, datanode.getDatanodeUuid(),
        message -> BlockReaderInterceptor.reportError(datanode, message), rules, kept);
    opened.setSettings(settings);
    cache = opened;
    // SIGTERM, the usual way to stop a DataNode, does not call its shutdown method.
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().addShutdownHook(atExit, EXIT_PRIORITY);
    }
  }

  private void keep() {
    LocalCache open = cache;
    if (open != null) {
      open.keep();
    }
  }

  @Override
  public InterceptedRead beginRead(ReadingClient client, ExtendedBlock block, Replica replica,
      long offset, long length) {
    LocalCache open = cache;
    try {
      ReplicaSnapshot snapshot = DatasetReplicaAccess.snapshot(block.getBlockPoolId(), replica);
      HdfsRead.TraceEntry entry = HdfsRead.TraceEntry.begin(trace, client, snapshot.key());
      String user = user(client);
      ReadOutcome bypass = DatasetReplicaAccess.bypass(replica);
      if (open != null) {
        return begun(open.read(client.name(), user, snapshot,
            block.getGenerationStamp(), bypass, offset, length), entry);
      }
      return entry == null ? null : new HdfsRead(
          ClientRead.withoutLocalCache(snapshot, offset, length), entry, metrics);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.LOOKUP, e);
      return null;
    }
  }

  /** Ends the read if it cannot be followed: the DataNode would not. */
  private HdfsRead begun(ClientRead read, HdfsRead.TraceEntry entry) {
    HdfsRead begun = null;
    try {
      begun = new HdfsRead(read, entry, metrics);
      return begun;
    } finally {
      if (begun == null) {
        read.abandon();
      }
    }
  }

  /** @return the reading user; null if not known, or if no rule needs it. */
  private String user(ReadingClient client) {
    String user = rulesInForce.asksForUser() ? client.user() : "";
    return user.isEmpty() ? null : user;
  }

  @Override
  public void replicaChanged(String bpid, Replica before, Replica after) {
    LocalCache open = cache;
    if (open == null) {
      return;
    }
    try {
      BlockKey key = new BlockKey(bpid, before.getBlockId());
      ReplicaSnapshot now = after != null && DatasetReplicaAccess.bypass(after) == null
          ? DatasetReplicaAccess.snapshot(bpid, after) : null;
      open.changes().replicaChanged(key, now, isAppend(before, after),
          MovedReplica.of(before, after),
          after == null ? "replica removed" : "replica changed to " + after.getState());
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  /** An append that fails half-way and is recovered continues with another replica. */
  private static boolean isAppend(Replica before, Replica after) {
    return after != null && after.getState() == ReplicaState.RBW
        && (before.getState() == ReplicaState.FINALIZED || before.getState() == ReplicaState.RBW);
  }

  @Override
  public void blockPoolReady(DataNode datanode, String bpid) {
    LocalCache open = cache;
    if (open == null) {
      return;
    }
    DatasetReplicaAccess replicas = new DatasetReplicaAccess(datanode);
    try {
      // Not earlier: the DataNode does not know its replicas. dfsadmin -refreshNamenodes gives it
      // another configuration.
      rules.start(() -> NameNodeBlocks.of(datanode.getConf(), replicas), open::assignPages);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.ADMISSION, e);
    }
    try {
      open.blockPoolReady(bpid, datanode::getBpOsCount);
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
  }

  @Override
  public void blockPoolRemoved(String bpid, LongFunction<Replica> left) {
    LocalCache open = cache;
    if (open != null) {
      open.blockPoolRemoved(bpid, id -> MovedReplica.of(left.apply(id), null));
    }
  }

  @Override
  public void replicaFilesLeave(String bpid, Replica replica) {
    LocalCache open = cache;
    try {
      if (open != null) {
        open.changes().filesLeave(bpid, replica == null ? null : replica.getBlockId());
      }
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.INVALIDATION, e);
    }
  }

  private LocalCacheView view() {
    LocalCache open = cache;
    return open == null ? null : new LocalCacheView(open);
  }

  /** @return the local cache, or null before the DataNode's storage is ready. */
  public LocalCache cache() {
    return cache;
  }

  /** @return the counters. */
  public LocalCacheMetrics metrics() {
    return metrics;
  }

  /** @return the metrics and the bean. */
  public Monitoring monitoring() {
    return monitoring;
  }

  /** @return the trace of clients' reads. */
  ReadTrace trace() {
    return trace;
  }

  /** @return the operator's switch. */
  public OnOff onOff() {
    return onOff;
  }

  @Override
  public void close() {
    if (monitoring != null) {
      monitoring.close();
    }
    if (trace != null) {
      trace.close();
    }
    clock.close();
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
