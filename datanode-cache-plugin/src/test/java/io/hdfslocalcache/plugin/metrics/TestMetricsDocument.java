/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Admission;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Gauges;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Memory;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.ProjectFiles;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.Test;

/** What operators read about the metrics is what the code measures. */
public class TestMetricsDocument {

  private static final Pattern ROW = Pattern.compile(
      "\\| `([A-Za-z]+)` \\| (counter|gauge) \\| ([^|]+) \\| ([^|]+) \\|[^|]*\\|");
  private static final Pattern NAME = Pattern.compile("data_node_local_cache_[a-z_]+");

  private final String document = read("docs/metrics.md");

  private static String read(String file) {
    try {
      return Files.readString(ProjectFiles.of(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** @return the type of each metric by its name in Prometheus, without what all begin with. */
  private static Map<String, String> measured() {
    Gauges gauges = new Gauges(true, 0, 0, 0, 0, 0, 0, 0, 0, false, 0,
        Memory.NONE, List.of(new Directory("/ssd", 0, 0, 0, 0, 0, 0, 0, -1, 0)), Map.of("/data", 1L));
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    RuleStatus rule = new RuleStatus("rule", "never", null, 0, 0, 0, 0, 0, 0, 0, 0);
    new LocalCacheMetricsSource(LocalCacheMetricsSource.RECORD, new LocalCacheMetrics(),
        () -> gauges, TestMetricsDocument::limiter, () -> List.of(rule)).getMetrics(collector, true);
    MetricsCollectorImpl durations = new MetricsCollectorImpl();
    new LocalCacheMetrics().durations().getMetrics(durations, true);
    // One of the many that differ in their labels only.
    Map<String, String> types = types(collector.getRecords().subList(0, 5));
    types(durations.getRecords().subList(0, 1)).forEach(types::put);
    types(durations.getRecords().subList(8, 9)).forEach(types::put);
    return types;
  }

  private static Map<String, String> types(List<? extends MetricsRecord> records) {
    Map<String, String> types = new TreeMap<>();
    for (MetricsRecord record : records) {
      for (AbstractMetric metric : record.metrics()) {
        String name = record.name().substring(LocalCacheMetricsSource.RECORD.length())
            + metric.name();
        assertEquals(name + " is there twice", null,
            types.put(name, metric.type().name().toLowerCase(Locale.ROOT)));
      }
    }
    return types;
  }

  private static Admission limiter() {
    return Admission.of(RateLimiterFactory.create(RateLimiterConfig.of(Map.of()), () -> 0));
  }

  @Test
  public void table_hasEveryMetricWithItsTypeAndNoOther() {
    Map<String, String> documented = new TreeMap<>();
    for (Matcher row = ROW.matcher(document); row.find();) {
      assertEquals(row.group(1) + " is there twice", null,
          documented.put(row.group(1), row.group(2)));
    }
    assertEquals(measured().toString().replace(", ", "\n"),
        documented.toString().replace(", ", "\n"));
  }

  @Test
  public void tableOfErrors_hasEveryOperationAndCause() {
    String errors = document.substring(document.indexOf("## Errors"));
    Stream.of(Operation.values()).map(Operation::metric)
        .forEach(name -> assertTrue(name, errors.contains("`" + name + "`")));
    Stream.of(ErrorCause.values()).map(ErrorCause::metric)
        .forEach(name -> assertTrue(name, errors.contains("`" + name + "`")));
  }

  @Test
  public void namesForPrometheus_areThoseOfMetrics() {
    Set<String> known = measured().keySet().stream().map(TestMetricsDocument::forPrometheus)
        .collect(Collectors.toSet());
    Matcher name = NAME.matcher(document.substring(document.indexOf("**The two")));
    int found = 0;
    for (; name.find(); found++) {
      assertTrue(name.group(), known.contains(name.group()));
    }
    assertTrue(found > 5);
  }

  private static String forPrometheus(String metric) {
    return "data_node_local_cache_" + metric.replaceAll("(?<=[a-z])(?=[A-Z])", "_")
        .toLowerCase(Locale.ROOT);
  }
}
