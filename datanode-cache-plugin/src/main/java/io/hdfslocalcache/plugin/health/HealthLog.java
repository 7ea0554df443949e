/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports changes of the SSDs' state to the log, the metrics and the NameNodes. */
public final class HealthLog {

  private static final Logger LOG = LoggerFactory.getLogger(HealthLog.class);

  /** A thousand DataNodes with flapping SSDs must not fill the NameNodes' logs. */
  private static final long REPORT_INTERVAL_NANOS = TimeUnit.HOURS.toNanos(1);

  /** One state of one SSD. */
  private record Trouble(Path directory, SsdState state) {
  }

  /** When the NameNodes were told, and how often it happened since. */
  private record Report(long time, int leftOut) {
  }

  private final LocalCacheMetrics metrics;
  private final Consumer<String> errorReport;
  private final LongSupplier nanoClock;
  private final Map<Trouble, Report> reports = new HashMap<>();

  /** @param nanoClock a clock that only goes forward, in nanoseconds */
  public HealthLog(LocalCacheMetrics metrics, Consumer<String> errorReport,
      LongSupplier nanoClock) {
    this.metrics = metrics;
    this.errorReport = errorReport;
    this.nanoClock = nanoClock;
  }

  /**
   * An SSD has another state.
   *
   * @param before null: it was not in use
   * @param reason why; empty if it is normal
   */
  public void changed(Path directory, SsdState before, SsdState now, String reason) {
    metrics.count(Event.HEALTH_CHANGES);
    String state = now + (before == null ? "" : ", was " + before);
    metrics.recent().add(directory + " is " + state
        + (reason.isEmpty() ? "" : ": " + reason));
    if (now == SsdState.NORMAL) {
      LOG.info("Local cache: {} is normal again, was {}", directory, before);
    } else {
      LOG.warn("Local cache: {} is {}: {}", directory, state, reason);
    }
    if (now == SsdState.DEGRADED || now == SsdState.DOWN && before != SsdState.PROBING) {
      report(new Trouble(directory, now), reason);
    }
  }

  /** Not as a failed volume: that would count against dfs.datanode.failed.volumes.tolerated. */
  private synchronized void report(Trouble trouble, String reason) {
    long now = nanoClock.getAsLong();
    Report last = reports.get(trouble);
    if (last != null && now - last.time() < REPORT_INTERVAL_NANOS) {
      reports.put(trouble, new Report(last.time(), last.leftOut() + 1));
      return;
    }
    reports.put(trouble, new Report(now, 0));
    errorReport.accept("local cache directory " + trouble.directory() + " is "
        + trouble.state().name().toLowerCase(Locale.ROOT) + ": " + reason
        + "; no replica is affected" + (last == null || last.leftOut() == 0 ? ""
            : "; " + last.leftOut() + " more times since the last report"));
  }
}
