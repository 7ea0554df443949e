/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/** The counters of the local caches of all DataNodes of this JVM. */
final class ReadCounts {

  private static final List<LocalCacheMetrics> ALL = new CopyOnWriteArrayList<>();

  private ReadCounts() {
  }

  static void add(LocalCacheMetrics metrics) {
    ALL.add(metrics);
  }

  /** @return all counters that are not zero, by the names of their metrics. */
  static Map<String, Long> nonZero() {
    Map<String, Long> counts = new TreeMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      counts.put(outcome.metric(), ALL.stream().mapToLong(m -> m.reads(outcome)).sum());
    }
    for (Event event : Event.values()) {
      counts.put(event.metric(), ALL.stream().mapToLong(m -> m.total(event)).sum());
    }
    for (Operation operation : Operation.values()) {
      for (ErrorCause cause : ErrorCause.values()) {
        counts.put("Errors." + operation + "." + cause,
            ALL.stream().mapToLong(m -> m.errors(operation, cause)).sum());
      }
    }
    counts.values().removeIf(count -> count == 0);
    return counts;
  }
}
