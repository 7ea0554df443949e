/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Admission;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Gauges;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Memory;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.Test;

public class TestLocalCacheMetricsSource {

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private Gauges gauges = new Gauges(true, 9, 2, 3, 4, 5, 6, 7, true, 8,
      new Memory(11, 12, 13, 14), List.of(new Directory("/ssd1", 10, 100, 0, 0, 0, 0, 0, -1, 0),
          new Directory("/ssd2", 20, 200, 3, 5, 21, 22, 23, 24, 25)), Map.of("/data", 1_500_000_000L));

  private List<? extends MetricsRecord> records() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    new LocalCacheMetricsSource(LocalCacheMetricsSource.RECORD, metrics, () -> gauges,
        () -> new Admission(Map.of(), Set.of()), List::of)
        .getMetrics(collector, true);
    return collector.getRecords();
  }

  /** @return the metrics of a record by name. */
  private static Map<String, AbstractMetric> byName(MetricsRecord record) {
    Map<String, AbstractMetric> metrics = new HashMap<>();
    for (AbstractMetric metric : record.metrics()) {
      assertEquals("two metrics are named " + metric.name(),
          null, metrics.put(metric.name(), metric));
      assertTrue(metric.name(), metric.name().matches("[A-Z][A-Za-z]+"));
      assertFalse(metric.name(), metric.description().isBlank());
    }
    return metrics;
  }

  private Map<String, AbstractMetric> dataNode() {
    return byName(records().get(0));
  }

  /** @return the number of errors with two labels. */
  private long errors(String operation, String cause) {
    MetricsRecord record = records().stream().filter(one -> Set.of(operation, cause).equals(
        one.tags().stream().filter(tag -> !tag.name().equals("Context")).map(MetricsTag::value)
            .collect(Collectors.toSet()))).findFirst().orElseThrow();
    assertMetric(byName(record), "Errors", MetricType.COUNTER,
        byName(record).get("Errors").value().longValue());
    return byName(record).get("Errors").value().longValue();
  }

  private static void assertMetric(Map<String, AbstractMetric> metrics, String name,
      MetricType type, double value) {
    assertTrue(name, metrics.containsKey(name));
    assertEquals(name, type, metrics.get(name).type());
    assertEquals(name, value, metrics.get(name).value().doubleValue(), 0);
  }

  @Test
  public void getMetrics_records_oneForTheDataNodeEachSsdEachVolumeAndEachKindOfError() {
    List<? extends MetricsRecord> records = records();
    List<? extends MetricsRecord> errors = records.subList(4, records.size());
    assertEquals(Operation.values().length * ErrorCause.values().length, errors.size());
    assertEquals(Set.of("DataNodeLocalCache"),
        errors.stream().map(MetricsRecord::name).collect(Collectors.toSet()));
    assertEquals(List.of("DataNodeLocalCache", "DataNodeLocalCacheDirectory",
        "DataNodeLocalCacheDirectory", "DataNodeLocalCacheVolume"),
        records.subList(0, 4).stream().map(MetricsRecord::name).toList());
    for (MetricsRecord record : records) {
      assertEquals("dfs", record.context());
    }
  }

  @Test
  public void getMetrics_ssd_hasItsDirectoryAsTag() {
    MetricsRecord second = records().get(2);
    assertTrue(second.tags().stream()
        .anyMatch(tag -> tag.name().equals("Directory") && tag.value().equals("/ssd2")));
    Map<String, AbstractMetric> metrics = byName(second);
    assertMetric(metrics, "UsedBytes", MetricType.GAUGE, 20);
    assertMetric(metrics, "CapacityBytes", MetricType.GAUGE, 200);
    assertMetric(metrics, "State", MetricType.GAUGE, 3);
    assertMetric(metrics, "BusyThreads", MetricType.GAUGE, 5);
    assertMetric(metrics, "WrittenBytes", MetricType.COUNTER, 21);
    assertMetric(metrics, "EnduranceBytes", MetricType.GAUGE, 22);
    assertMetric(metrics, "OthersWrittenBytes", MetricType.GAUGE, 23);
    assertMetric(metrics, "LifeDays", MetricType.GAUGE, 24);
    assertMetric(metrics, "UndeletedFiles", MetricType.GAUGE, 25);
  }

  @Test
  public void getMetrics_volume_hasItsDirectoryAsTag() {
    MetricsRecord volume = records().get(3);
    assertTrue(volume.tags().stream()
        .anyMatch(tag -> tag.name().equals("Volume") && tag.value().equals("/data")));
    assertMetric(byName(volume), "ReadWaitSeconds", MetricType.GAUGE, 1.5);
  }

  @Test
  public void getMetrics_gauges_showWhatIsMeasuredNow() {
    Map<String, AbstractMetric> metrics = dataNode();
    assertMetric(metrics, "On", MetricType.GAUGE, 1);
    assertMetric(metrics, "ShortCircuitOpens", MetricType.COUNTER, 9);
    assertMetric(metrics, "ReadsInProgress", MetricType.GAUGE, 2);
    assertMetric(metrics, "Pages", MetricType.GAUGE, 3);
    assertMetric(metrics, "Blocks", MetricType.GAUGE, 4);
    assertMetric(metrics, "FillQueuePages", MetricType.GAUGE, 5);
    assertMetric(metrics, "InvalidationLagSeconds", MetricType.GAUGE, 0.006);
    assertMetric(metrics, "InvalidationWaitingSeconds", MetricType.GAUGE, 0.007);
    assertMetric(metrics, "Restoring", MetricType.GAUGE, 1);
    assertMetric(metrics, "RestoreSeconds", MetricType.GAUGE, 0.008);
    assertMetric(metrics, "UsedBytes", MetricType.GAUGE, 30);
    assertMetric(metrics, "CapacityBytes", MetricType.GAUGE, 300);
    assertMetric(metrics, "MemoryPages", MetricType.GAUGE, 11);
    assertMetric(metrics, "MemoryUsedBytes", MetricType.GAUGE, 12);
    assertMetric(metrics, "MemoryCapacityBytes", MetricType.GAUGE, 13);
    assertMetric(metrics, "BufferBytes", MetricType.GAUGE, 14);
    gauges = new Gauges(false, 0, 0, 0, 0, 0, 0, 0, false, 0, Memory.NONE, List.of(),
        Map.of());
    assertMetric(dataNode(), "On", MetricType.GAUGE, 0);
    assertEquals(0, errors("Lookup", "Io"));
  }

  @Test
  public void getMetrics_admission_showsWhatTheRateLimiterMeasures() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    new LocalCacheMetricsSource(LocalCacheMetricsSource.RECORD, metrics, () -> gauges,
        () -> new Admission(Map.of("BudgetSpentBytes", 5L, "BudgetBalanceBytes", -6L), Set.of("BudgetSpentBytes")),
        List::of).getMetrics(collector, true);
    Map<String, AbstractMetric> shown = byName(collector.getRecords().get(0));
    assertMetric(shown, "AdmissionBudgetSpentBytes", MetricType.COUNTER, 5);
    assertMetric(shown, "AdmissionBudgetBalanceBytes", MetricType.GAUGE, -6);
  }

  @Test
  public void getMetrics_readsAndEvents_eachHasItsCounter() {
    long n = 100;
    for (ReadOutcome outcome : ReadOutcome.values()) {
      metrics.read(outcome, 0, 0);
      assertMetric(dataNode(), outcome.metric(), MetricType.COUNTER, 1);
    }
    for (Event event : Event.values()) {
      metrics.add(event, n);
      metrics.count(event);
      assertMetric(dataNode(), event.metric(), MetricType.COUNTER, ++n);
    }
  }

  @Test
  public void getMetrics_errors_splitByOperationAndCause() {
    metrics.error(Operation.PAGE_READ, new IOException("No space left on device"));
    metrics.error(Operation.PAGE_READ, new IOException("Input/output error"));
    metrics.error(Operation.PAGE_READ, new IOException("Input/output error"));
    metrics.error(Operation.FILL_READ, new IllegalStateException());
    assertEquals(1, errors("PageRead", "NoSpace"));
    assertEquals(2, errors("PageRead", "Io"));
    assertEquals(1, errors("FillRead", "Internal"));
    assertEquals(0, errors("PageWrite", "Io"));
    assertEquals(4, metrics.errors());
  }

  @Test
  public void read_outcomes_bytesAreCountedWhereTheyCameFrom() {
    metrics.read(ReadOutcome.PARTIAL_HIT, 10, 3);
    metrics.read(ReadOutcome.MISS_ADMITTED, 0, 20);
    metrics.read(ReadOutcome.BYPASS_OFF, 0, 500);
    assertEquals(10, metrics.total(Event.BYTES_HIT));
    assertEquals(23, metrics.total(Event.BYTES_MISS));
    assertEquals(500, metrics.total(Event.BYTES_BYPASS));
  }
}
