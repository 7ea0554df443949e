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

import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Admission;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Gauges;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Memory;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.Test;

public class TestLocalCacheMetricsSource {

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private Gauges gauges = new Gauges(true, 1, 9, 2, 3, 4, 5, 6, 7, true, 8,
      new Memory(11, 12, 13, 14), List.of(new Directory("/ssd1", 10, 100),
          new Directory("/ssd2", 20, 200, 3, 5, 21, 22, 23, 24)), Map.of("/data", 1_234_567L));

  private List<? extends MetricsRecord> records() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    new LocalCacheMetricsSource(metrics, () -> gauges,
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

  private static void assertMetric(Map<String, AbstractMetric> metrics, String name,
      MetricType type, long value) {
    assertTrue(name, metrics.containsKey(name));
    assertEquals(name, type, metrics.get(name).type());
    assertEquals(name, value, metrics.get(name).value().longValue());
  }

  @Test
  public void getMetrics_records_oneForTheDataNodeEachSsdAndEachVolume() {
    List<? extends MetricsRecord> records = records();
    assertEquals(List.of("DataNodeLocalCache", "DataNodeLocalCacheDirectory",
        "DataNodeLocalCacheDirectory", "DataNodeLocalCacheVolume"),
        records.stream().map(MetricsRecord::name).toList());
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
  }

  @Test
  public void getMetrics_volume_hasItsDirectoryAsTag() {
    MetricsRecord volume = records().get(3);
    assertTrue(volume.tags().stream()
        .anyMatch(tag -> tag.name().equals("Volume") && tag.value().equals("/data")));
    assertMetric(byName(volume), "ReadWaitMicros", MetricType.GAUGE, 1234);
  }

  @Test
  public void getMetrics_gauges_showWhatIsMeasuredNow() {
    Map<String, AbstractMetric> metrics = dataNode();
    assertMetric(metrics, "On", MetricType.GAUGE, 1);
    assertMetric(metrics, "ErrorsAdmission", MetricType.COUNTER, 1);
    assertMetric(metrics, "ShortCircuitOpens", MetricType.COUNTER, 9);
    assertMetric(metrics, "ReadsInProgress", MetricType.GAUGE, 2);
    assertMetric(metrics, "Pages", MetricType.GAUGE, 3);
    assertMetric(metrics, "Blocks", MetricType.GAUGE, 4);
    assertMetric(metrics, "FillQueuePages", MetricType.GAUGE, 5);
    assertMetric(metrics, "InvalidationLagMillis", MetricType.GAUGE, 6);
    assertMetric(metrics, "InvalidationWaitingMillis", MetricType.GAUGE, 7);
    assertMetric(metrics, "Restoring", MetricType.GAUGE, 1);
    assertMetric(metrics, "RestoreMillis", MetricType.GAUGE, 8);
    assertMetric(metrics, "UsedBytes", MetricType.GAUGE, 30);
    assertMetric(metrics, "CapacityBytes", MetricType.GAUGE, 300);
    assertMetric(metrics, "MemoryPages", MetricType.GAUGE, 11);
    assertMetric(metrics, "MemoryUsedBytes", MetricType.GAUGE, 12);
    assertMetric(metrics, "MemoryCapacityBytes", MetricType.GAUGE, 13);
    assertMetric(metrics, "BufferBytes", MetricType.GAUGE, 14);
    gauges = new Gauges(false, 0, 0, 0, 0, 0, 0, 0, 0, false, 0, Memory.NONE, List.of(),
        Map.of());
    assertMetric(dataNode(), "On", MetricType.GAUGE, 0);
    assertEquals(1, records().size());
  }

  @Test
  public void getMetrics_admission_showsWhatTheRateLimiterMeasures() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    new LocalCacheMetricsSource(metrics, () -> gauges, () -> new Admission(
        Map.of("BudgetSpentBytes", 5L, "BudgetBalanceBytes", -6L), Set.of("BudgetSpentBytes")),
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
    Map<String, AbstractMetric> shown = dataNode();
    assertMetric(shown, "ErrorsPageReadNoSpace", MetricType.COUNTER, 1);
    assertMetric(shown, "ErrorsPageReadIo", MetricType.COUNTER, 2);
    assertMetric(shown, "ErrorsFillReadInternal", MetricType.COUNTER, 1);
    assertMetric(shown, "ErrorsPageWriteIo", MetricType.COUNTER, 0);
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
