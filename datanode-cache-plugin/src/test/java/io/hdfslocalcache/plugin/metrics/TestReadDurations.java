/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.Test;

public class TestReadDurations {

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();

  /** @return a histogram's values, by the names of its metrics and the bounds of its buckets. */
  private Map<String, Number> histogram(String outcome, String size) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    metrics.durations().source("Reads").getMetrics(collector, true);
    Map<String, Number> values = new LinkedHashMap<>();
    for (MetricsRecord record : collector.getRecords()) {
      assertEquals("Reads", record.name());
      if (tag(record, "outcome").equals(outcome) && tag(record, "size").equals(size)) {
        for (AbstractMetric metric : record.metrics()) {
          assertEquals(metric.name().equals("Sum") ? MetricType.GAUGE : MetricType.COUNTER,
              metric.type());
          values.put(metric.name() + tag(record, "le"), metric.value());
        }
      }
    }
    return values;
  }

  private static String tag(MetricsRecord record, String name) {
    return record.tags().stream().filter(tag -> tag.name().equals(name)).map(MetricsTag::value)
        .findFirst().orElse("");
  }

  private void read(ReadOutcome outcome, long bytes, long micros) {
    metrics.readTook(outcome, bytes, TimeUnit.MICROSECONDS.toNanos(micros));
  }

  @Test
  public void buckets_haveThoseOfTheSmallerOnesToo() {
    read(ReadOutcome.HIT, 4096, 300);
    read(ReadOutcome.HIT, 64 << 10, 301);
    read(ReadOutcome.HIT, 1, 1_000_000);
    Map<String, Number> hits = histogram("hit", "64k");
    assertEquals(Long.valueOf(1), hits.get("Bucket0.0003"));
    assertEquals(Long.valueOf(2), hits.get("Bucket0.001"));
    assertEquals(Long.valueOf(2), hits.get("Bucket0.3"));
    assertEquals(Long.valueOf(3), hits.get("Bucket+Inf"));
    assertEquals(Long.valueOf(3), hits.get("Count"));
    assertEquals(1.000601, hits.get("Sum").doubleValue(), 1e-9);
    assertEquals(8 + 2, hits.size());
  }

  @Test
  public void reads_areToldApartByOutcomeAndSize() {
    read(ReadOutcome.PARTIAL_HIT, (64 << 10) + 1, 10);
    read(ReadOutcome.MISS_NOT_ADMITTED, 1 << 20, 10);
    read(ReadOutcome.BYPASS_OFF, (1 << 20) + 1, 10);
    read(ReadOutcome.HIT, 0, 10);
    assertEquals(Long.valueOf(2), histogram("miss", "1m").get("Count"));
    assertEquals(Long.valueOf(1), histogram("bypass", "larger").get("Count"));
    for (String size : new String[] {"64k", "1m", "larger"}) {
      assertEquals("a read that sent nothing",
          Long.valueOf(0), histogram("hit", size).get("Count"));
    }
  }
}
