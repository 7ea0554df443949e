/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.settings.RuntimeSettings.SettingView;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdWear;
import org.apache.hadoop.conf.Configuration;

/**
 * The state of the local cache of a DataNode.
 *
 * @param on whether the local cache handles reads
 * @param note what else an operator should know; empty if nothing
 * @param pages cached pages
 * @param blocks blocks with cached pages
 * @param fillQueuePages pages that wait to be filled
 * @param offload byte hit rate: share of the bytes read by clients that came from SSDs; null if
 *     none
 * @param reuseRate hit rate: share of the reads of admitted blocks that SSDs served completely;
 *     null if there was none
 * @param shortCircuitShare share of short-circuit opens in all opens and reads by clients; null if
 *     there was none, or it is not known
 * @param counters counters since the DataNode started, by metric name
 * @param errors error counters that are not zero, by metric name
 * @param admission numbers of the rate limiter, by the end of their metric name
 * @param memory the pages in memory
 * @param ssds the SSDs, sorted by their paths
 * @param volumes the data volumes that served clients' reads
 * @param settings the settings that can be changed while the DataNode runs
 * @param dryRun whether nothing is written to, or served from, an SSD
 * @param version of the local cache; null if it does not run from its jar
 * @param configuration the keys of the local cache that are set in the DataNode's configuration
 */
public record CacheStatus(boolean on, String note, long pages, long blocks, long fillQueuePages,
    Double offload, Double reuseRate, Double shortCircuitShare, Map<String, Long> counters,
    Map<String, Long> errors, Map<String, Long> admission, MemoryView memory, List<SsdView> ssds,
    List<VolumeView> volumes, List<SettingView> settings, boolean dryRun, String version,
    Map<String, String> configuration) {

  /** @return the state of a local cache that is open, to be completed by {@link #with}. */
  static CacheStatus of(LocalCache cache) {
    LocalCacheMetrics metrics = cache.metrics();
    Map<String, Long> counters = new LinkedHashMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      counters.put(outcome.metric(), metrics.reads(outcome));
    }
    for (Event event : Event.values()) {
      counters.put(event.metric(), metrics.total(event));
    }
    counters.put(LocalCacheMetricsSource.SHORT_CIRCUIT_OPENS, metrics.shortCircuitOpens());
    MemoryTier memory = cache.memory();
    return new CacheStatus(cache.onOff().isOn(), cache.onOff().describe(),
        cache.index().pages(), cache.index().blocks(), cache.fills().queuedPages(),
        metrics.offload(), metrics.reuseRate(), metrics.shortCircuitShare(), counters,
        errors(metrics), cache.limiter().metrics(),
        new MemoryView(memory.pages(), memory.usedBytes(), memory.capacityBytes()),
        ssds(cache.directories()), volumes(cache.volumeWaits()),
        cache.settings() == null ? List.of() : cache.settings().inForce(), false, null,
        Map.of());
  }

  private static Map<String, Long> errors(LocalCacheMetrics metrics) {
    Map<String, Long> errors = new LinkedHashMap<>();
    metrics.forEachError((operation, cause, number) ->
        errors.put("Errors" + operation.metric() + cause.metric(), number));
    errors.values().removeIf(number -> number == 0);
    return errors;
  }

  private static List<SsdView> ssds(SsdDirectories directories) {
    return directories.reports().stream().map(ssd -> new SsdView(ssd.directory().toString(),
        ssd.state().name(), ssd.reason(), ssd.usedBytes(), ssd.capacityBytes(), ssd.isDrained(),
        ssd.wear())).toList();
  }

  private static List<VolumeView> volumes(Map<String, Long> waitNanos) {
    List<VolumeView> volumes = new ArrayList<>();
    waitNanos.forEach((directory, nanos) -> volumes.add(new VolumeView(
        directory, TimeUnit.NANOSECONDS.toMicros(nanos) / 1000.0)));
    return volumes;
  }

  /** @return the state of a local cache without an SSD, to be completed by {@link #with}. */
  static CacheStatus closed(OnOff onOff) {
    return new CacheStatus(onOff.isOn(), onOff.describe(), 0, 0, 0, null, null,
        null, Map.of(), Map.of(), Map.of(), new MemoryView(0, 0, 0), List.of(), List.of(), List.of(), false,
        null, Map.of());
  }

  /** @return the same with the configuration of the DataNode's start. */
  CacheStatus with(boolean isDryRun, Configuration conf) {
    Map<String, String> configured = new TreeMap<>();
    conf.getPropsWithPrefix(LocalCacheKeys.PREFIX)
        .forEach((key, value) -> configured.put(LocalCacheKeys.PREFIX + key, value));
    return new CacheStatus(on, note, pages, blocks, fillQueuePages, offload, reuseRate,
        shortCircuitShare, counters, errors, admission, memory, ssds, volumes, settings, isDryRun,
        CacheStatus.class.getPackage().getImplementationVersion(), configured);
  }

  /**
   * The pages in memory.
   *
   * @param pages how many
   * @param usedBytes bytes that they take
   * @param capacityBytes bytes that they may take; 0 if there is no memory for pages
   */
  public record MemoryView(long pages, long usedBytes, long capacityBytes) {
  }

  /**
   * One SSD.
   *
   * @param directory as configured
   * @param state NORMAL, DEGRADED, PROBING or DOWN
   * @param reason why the state is not NORMAL; empty if it is
   * @param usedBytes bytes that page files take
   * @param capacityBytes bytes that page files may take
   * @param drained whether no page is added, and all are evicted
   * @param wear bytes written to it
   */
  public record SsdView(String directory, String state, String reason, long usedBytes,
      long capacityBytes, boolean drained, SsdWear.Report wear) {
  }

  /**
   * One data volume.
   *
   * @param directory as the DataNode names it
   * @param readWaitMillis mean wait of recent reads for it: reads of admitted pages that are not
   *     cached, and of pages that operators warm
   */
  public record VolumeView(String directory, double readWaitMillis) {
  }
}
