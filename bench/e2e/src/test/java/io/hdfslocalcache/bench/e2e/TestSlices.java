/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.Cluster.Counters;
import io.hdfslocalcache.bench.e2e.Slices.Slice;
import org.HdrHistogram.Histogram;
import org.junit.Test;

/** The figures of slices, and what they are made of: CPU time and the local cache's counters. */
public class TestSlices {

  private static final double CLOSE = 1e-9;
  private static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0, true);
  private static final long PID = ProcessHandle.current().pid();
  private static final long WORK_NANOS = 100_000_000;

  private static Load.Result result(int reads, long bytes, double seconds, long micros) {
    Histogram nanos = new Histogram(1_000_000_000L, 3);
    nanos.recordValueWithCount(micros * 1000, reads);
    return new Load.Result(bytes, seconds, nanos, new AtomicLongArray(1));
  }

  private static Counters counters(long hit, long served, long errors) {
    return new Counters(hit, served, 0, 0, 0, errors, true);
  }

  @Test
  public void slices_weighByWhatWasRead() {
    Map<String, Double> figures = new Slices()
        .add(new Slice(List.of(result(900, 9_000_000, 0.5, 100)), new CpuTime(0.2, 0.1),
            new CpuTime(0.3, 0.2), NONE, counters(9, 10, 0)), 0)
        .add(new Slice(List.of(result(100, 1_000_000, 0.5, 300)), new CpuTime(0.1, 0),
            new CpuTime(0.1, 0), NONE, counters(1, 10, 2)), 0)
        .figures();

    assertEquals(1000, figures.get("reads/s"), CLOSE);
    assertEquals(10, figures.get("MB/s"), CLOSE);
    assertEquals(300, figures.get("CPU us/read"), CLOSE);
    assertEquals(30, figures.get("CPU-s/GB"), CLOSE);
    assertEquals(40, figures.get("client CPU-s/GB"), CLOSE);
    assertEquals(0.1, figures.get("JIT CPU s"), CLOSE);
    assertEquals(0.5, figures.get("hit share"), CLOSE);
    assertEquals(2, figures.get("errors"), CLOSE);
    // Of all reads: the mean of the slices' medians would be 200.
    assertEquals(100, figures.get("p50 us"), 0.1);
    assertEquals(300, figures.get("p99 us"), 0.3);
  }

  @Test
  public void loadsAtTheSameTime_shareTheCpu() {
    Slice slice = new Slice(
        List.of(result(300, 3_000_000, 1, 100), result(100, 1_000_000, 1, 900)),
        new CpuTime(0.4, 0), new CpuTime(0, 0), NONE, NONE);

    Map<String, Double> second = new Slices().add(slice, 1).figures();

    assertEquals(100, second.get("reads"), CLOSE);
    assertEquals(1000, second.get("CPU us/read"), CLOSE);
    assertEquals(900, second.get("p50 us"), 1);
    assertEquals("a stock DataNode counts none", 0, second.get("hit share"), CLOSE);
  }

  private static Counters of(String json) throws IOException {
    return Counters.of(new ObjectMapper().readTree(json));
  }

  @Test
  public void counters_ofTheBean() throws IOException {
    assertEquals(new Counters(1, 7, 8, 9, 32, 7, true), of("""
        {"BytesHit":1, "BytesMiss":2, "BytesBypass":4, "Pages":8, "FillQueuePages":9,
        "FillBytes":32, "ErrorsA":3, "ErrorsB":4, "State.1":0}"""));
    assertFalse(of("{\"State.1\":0,\"State.2\":1}").isNormal());
    assertEquals("a stock DataNode", NONE, of("{}"));
  }

  /** A DataNode's threads end with their connections; their CPU time must still be counted. */
  @Test
  public void cpuTime_ofAThreadThatHasEnded_isCounted() throws Exception {
    CpuTime before = CpuTime.of(PID);
    Thread worker = new Thread(() -> {
      var threads = ManagementFactory.getThreadMXBean();
      while (threads.getCurrentThreadCpuTime() < WORK_NANOS) {
        Math.sin(System.nanoTime());
      }
    });
    worker.start();
    worker.join();

    CpuTime used = CpuTime.of(PID).since(before);

    // The kernel counts in ticks of 10 ms, and user and system time apart.
    assertTrue(used.toString(), used.seconds() + used.compilerSeconds() >= WORK_NANOS / 1e9 / 2);
  }

  @Test
  public void cpuTime_ofTheCompiler_isApart() {
    CpuTime used = new CpuTime(3, 1.5).since(new CpuTime(1, 1));

    assertEquals(2, used.seconds(), CLOSE);
    assertEquals(0.5, used.compilerSeconds(), CLOSE);
  }

  @Test
  public void cpuTime_noSuchProcess_throws() {
    assertThrows(IOException.class, () -> CpuTime.of(Integer.MAX_VALUE >> 4));
  }
}
