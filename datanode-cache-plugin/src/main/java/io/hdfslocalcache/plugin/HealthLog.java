/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.nio.file.Path;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what becomes of the SSDs: in the log, in the metrics, and to the NameNodes. */
final class HealthLog {

  private static final Logger LOG = LoggerFactory.getLogger(HealthLog.class);

  private final LocalCacheMetrics metrics;
  private final Consumer<String> errorReport;

  HealthLog(LocalCacheMetrics metrics, Consumer<String> errorReport) {
    this.metrics = metrics;
    this.errorReport = errorReport;
  }

  void changed(Path directory, SsdState before, SsdState now, String reason) {
    metrics.count(Event.HEALTH_CHANGES);
    if (now == SsdState.NORMAL) {
      LOG.info("Local cache: {} is normal again, was {}", directory, before);
    } else {
      LOG.warn("Local cache: {} is {}, was {}: {}", directory, now, before, reason);
    }
    // Not as a failed volume: that would count against dfs.datanode.failed.volumes.tolerated.
    if (now == SsdState.DOWN && before != SsdState.PROBING) {
      errorReport.accept("local cache directory " + directory + " is down: " + reason
          + "; no replica is affected");
    }
  }
}
