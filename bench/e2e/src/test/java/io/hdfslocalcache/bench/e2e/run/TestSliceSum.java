/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import static org.junit.Assert.assertEquals;

import java.util.List;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.cluster.CpuTimes.Used;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import io.hdfslocalcache.bench.e2e.run.SliceSum.Slice;
import org.HdrHistogram.Histogram;
import org.junit.Test;

public class TestSliceSum {

  private static final double CLOSE = 1e-9;

  private static Load.Result result(int reads, long bytes, double seconds, long micros) {
    Histogram nanos = new Histogram(1_000_000_000L, 3);
    nanos.recordValueWithCount(micros * 1000, reads);
    return Load.Result.of(reads, bytes, seconds, nanos, List.of());
  }

  @Test
  public void slices_weighByWhatWasRead() {
    Row row = new SliceSum()
        .add(new Slice(List.of(result(900, 9_000_000, 0.5, 100)), new Used(0.2, 0.1),
            new Used(0.3, 0.2), 9, 10, 0), 0)
        .add(new Slice(List.of(result(100, 1_000_000, 0.5, 300)), new Used(0.1, 0),
            new Used(0.1, 0), 1, 10, 2), 0)
        .row("hit/pread-4k-1", "stock", 3);

    assertEquals("hit/pread-4k-1", row.path());
    assertEquals(3, row.round());
    assertEquals(1000, row.get(Figure.OPS_PER_SECOND), CLOSE);
    assertEquals(10, row.get(Figure.MB_PER_SECOND), CLOSE);
    assertEquals(300, row.get(Figure.CPU_MICROS_PER_READ), CLOSE);
    assertEquals(30, row.get(Figure.CPU_SECONDS_PER_GB), CLOSE);
    assertEquals(40, row.get(Figure.CLIENT_CPU_SECONDS_PER_GB), CLOSE);
    assertEquals(0.1, row.get(Figure.COMPILER_SECONDS), CLOSE);
    assertEquals(0.5, row.get(Figure.HIT_SHARE), CLOSE);
    assertEquals(2, row.get(Figure.CACHE_ERRORS), CLOSE);
    // Of all reads: the mean of the slices' medians would be 200.
    assertEquals(100, row.get(Figure.P50_MICROS), 0.1);
    assertEquals(300, row.get(Figure.P99_MICROS), 0.3);
  }

  @Test
  public void loadsAtTheSameTime_shareTheCpu() {
    Slice slice = new Slice(List.of(result(300, 3_000_000, 1, 100), result(100, 1_000_000, 1, 900)),
        new Used(0.4, 0), new Used(0, 0), 0, 0, 0);

    Row second = new SliceSum().add(slice, 1).row("hdd/mixed-cold", "stock", 1);

    assertEquals(100, second.get(Figure.READS), CLOSE);
    assertEquals(1000, second.get(Figure.CPU_MICROS_PER_READ), CLOSE);
    assertEquals(900, second.get(Figure.P50_MICROS), 1);
    assertEquals("a stock DataNode counts none", 0, second.get(Figure.HIT_SHARE), CLOSE);
  }
}
