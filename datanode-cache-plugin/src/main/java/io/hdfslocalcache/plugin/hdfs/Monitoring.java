/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.Closeable;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.ObjectName;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.admin.Condition;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.metrics.LastHour;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Gauges;
import io.hdfslocalcache.plugin.metrics.ReadDurations;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.util.MBeans;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitoring of the local cache of a DataNode: the metrics, and the bean for its web page. Both
 * exist from the DataNode's start, before the local cache itself.
 */
public final class Monitoring implements LocalCacheMXBean, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

  private final LocalCacheMetrics metrics;
  private final OnOff onOff;
  private final Supplier<LocalCache> cache;
  /** Distinguishes the DataNodes of one JVM. */
  private final String displayName;
  private final List<String> sources = new CopyOnWriteArrayList<>();
  private final ObjectName beanName;
  private final LastHour lastHour = new LastHour();
  private final TimeAndThreads.Repetition minutes;

  /**
   * Registers both, and starts recording the figures of each minute.
   *
   * @param rules the operator's rules
   * @param cache returns null while there is none
   */
  Monitoring(DataNode datanode, LocalCacheMetrics metrics, OnOff onOff, SafeRateLimiter limiter,
      Supplier<List<RuleStatus>> rules, Supplier<LocalCache> cache) {
    this.metrics = metrics;
    this.onOff = onOff;
    this.cache = cache;
    metrics.setShortCircuitOpens(shortCircuitOpens(datanode.getMetrics()));
    this.displayName = datanode.getDisplayName().replace(':', '-');
    String record = isDryRun() ? LocalCacheMetricsSource.DRY_RUN_RECORD
        : LocalCacheMetricsSource.RECORD;
    register(record, "The DataNode's local cache",
        new LocalCacheMetricsSource(
            record, metrics, this::gauges,
            () -> LocalCacheMetricsSource.Admission.of(limiter), rules));
    String durations = record + ReadDurations.SUFFIX;
    register(
        durations, "How long clients' reads take", metrics.durations().source(durations));
    this.beanName = MBeans.register("DataNode", "LocalCache", this);
    takeDown();
    this.minutes = TimeAndThreads.get().repeat(
        "local-cache-last-hour", TimeUnit.MINUTES.toNanos(1), this::takeDown);
  }

  /** Records the present figures. */
  void takeDown() {
    try {
      LocalCache open = cache.get();
      lastHour.add(metrics, open == null ? List.of() : directories(open),
          TimeAndThreads.get().currentTimeMillis());
    } catch (RuntimeException | Error e) {
      // Rethrown, it would end the rounds.
      LOG.warn("Local cache: could not record the metrics of the last minute", e);
    }
  }

  private void register(String name, String description, MetricsSource source) {
    String unique = name + '-' + displayName;
    DefaultMetricsSystem.instance().register(unique, description, source);
    sources.add(unique);
  }

  /**
   * Number of replicas opened for short-circuit reads: a client on the same machine then reads the
   * files itself. The local cache does not see these reads, and the DataNode knows neither their
   * number nor their bytes. The DataNode's counter of opens is private.
   *
   * @return the DataNode's count, now and later; negative if this DataNode has no such counter
   */
  private static LongSupplier shortCircuitOpens(DataNodeMetrics metrics) {
    try {
      Field field = DataNodeMetrics.class.getDeclaredField("blocksGetLocalPathInfo");
      field.setAccessible(true);
      return ((MutableCounterLong) field.get(metrics))::value;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Local cache: short-circuit reads are not counted", e);
      return () -> -1;
    }
  }

  private Gauges gauges() {
    LocalCache open = cache.get();
    if (open == null) {
      return new Gauges(false, shortCircuitOpens(), 0, 0, 0, 0, 0, 0, false, 0,
          LocalCacheMetricsSource.Memory.NONE, List.of(), Map.of());
    }
    return new Gauges(onOff.isOn(), shortCircuitOpens(),
        open.readsInProgress(),
        open.index().pages(), open.index().blocks(), open.fills().queuedPages(),
        open.changes().lastLagMillis(), open.changes().waitingMillis(),
        open.restore().isInProgress(), open.restore().millis(), open.memory().gauges(),
        directories(open), open.volumeWaits());
  }

  private static List<LocalCacheMetricsSource.Directory> directories(LocalCache open) {
    return open.directories().reports().stream().map(ssd -> new LocalCacheMetricsSource.Directory(
        ssd.directory().toString(), ssd.usedBytes(), ssd.capacityBytes(), ssd.state().ordinal(),
        ssd.busyThreads(), ssd.wear().writtenBytes(), ssd.wear().enduranceBytes(),
        ssd.wear().othersBytes(), ssd.wear().lifeDays(), ssd.undeletedFiles())).toList();
  }

  @Override
  public boolean isOn() {
    return onOff.isOn();
  }

  @Override
  public boolean isDryRun() {
    return onOff.isDryRun();
  }

  @Override
  public ConditionStatus getCondition() {
    LocalCache open = cache.get();
    return new ConditionStatus(
        open == null ? Condition.closed(onOff) : new LocalCacheView(open).condition());
  }

  @Override
  public List<SsdStatus> getDirectories() {
    LocalCache open = cache.get();
    return open == null ? List.of()
        : open.directories().reports().stream().map(SsdStatus::new).toList();
  }

  @Override
  public List<Minute> getLastHour() {
    return lastHour.samples().stream().map(Minute::new).toList();
  }

  @Override
  public List<Happened> getLastEvents() {
    return metrics.recent().newestFirst().stream().map(Happened::new).toList();
  }

  /** @return number of replicas opened for short-circuit reads; negative if it is not known. */
  public long shortCircuitOpens() {
    return metrics.shortCircuitOpens();
  }

  @Override
  public void close() {
    minutes.stopNow();
    sources.forEach(DefaultMetricsSystem.instance()::unregisterSource);
    MBeans.unregister(beanName);
  }
}
