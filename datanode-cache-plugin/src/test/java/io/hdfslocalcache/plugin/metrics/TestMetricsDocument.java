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

/** The documented metrics match the code. */
public class TestMetricsDocument {

  private static final Pattern ROW = Pattern.compile("\\| (`[A-Za-z`, ]+`) \\| [^|]+ \\|\n");
  private static final Pattern NAME = Pattern.compile("data_node_local_cache_[a-z_]+");

  private final String document = read("docs/metrics.md");

  private static String read(String file) {
    try {
      return Files.readString(ProjectFiles.of(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** @return the metrics by their names in Prometheus, without their common prefix. */
  private static Set<String> measured() {
    Gauges gauges = new Gauges(true, 0, 0, 0, 0, 0, 0, 0, false, 0,
        Memory.NONE, List.of(new Directory("/ssd", 0, 0, 0, 0, 0, 0, 0, -1, 0)), Map.of("/data", 1L));
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    RuleStatus rule = new RuleStatus("rule", "never", null, 0, 0, 0, 0, 0, 0, 0, 0);
    new LocalCacheMetricsSource(LocalCacheMetricsSource.RECORD, new LocalCacheMetrics(),
        () -> gauges, TestMetricsDocument::limiter, () -> List.of(rule)).getMetrics(collector, true);
    MetricsCollectorImpl durations = new MetricsCollectorImpl();
    new LocalCacheMetrics().durations()
        .source(LocalCacheMetricsSource.RECORD + ReadDurations.SUFFIX).getMetrics(durations, true);
    // One of the many that differ in their labels only.
    Set<String> names = new TreeSet<>();
    addNames(names, collector.getRecords().subList(0, 5));
    addNames(names, durations.getRecords().subList(0, 1));
    addNames(names, durations.getRecords().subList(8, 9));
    return names;
  }

  private static void addNames(Set<String> names, List<? extends MetricsRecord> records) {
    for (MetricsRecord record : records) {
      for (AbstractMetric metric : record.metrics()) {
        String name = record.name().substring(LocalCacheMetricsSource.RECORD.length())
            + metric.name();
        assertTrue(name + " is there twice", names.add(name));
      }
    }
  }

  private static Admission limiter() {
    return Admission.of(RateLimiterFactory.create(RateLimiterConfig.of(Map.of()), () -> 0));
  }

  @Test
  public void tables_haveEveryMetricOnceAndNoOther() {
    Set<String> documented = new TreeSet<>();
    // Errors are the only metric that no row names: they have tables of their labels.
    String metrics = document.substring(0, document.indexOf("## Errors"))
        + document.substring(document.indexOf("## Data volumes"));
    for (Matcher row = ROW.matcher(metrics); row.find();) {
      for (String name : row.group(1).split(", ")) {
        assertTrue(name + " is there twice", documented.add(name.replace("`", "")));
      }
    }
    documented.add("Errors");
    assertEquals(String.join("\n", measured()), String.join("\n", documented));
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
    Set<String> known = measured().stream().map(TestMetricsDocument::forPrometheus)
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
