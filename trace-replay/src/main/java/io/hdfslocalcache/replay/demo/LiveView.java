/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.time.Duration;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.replay.operator.DataNodeMetrics;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;

/** Shows once a second what the readers get: rates of that second, bytes since the beginning. */
final class LiveView {

  private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

  private final DataNodeMetrics metrics;
  private final Progress progress;
  private final long began = System.nanoTime();

  LiveView(DataNodeMetrics metrics, Progress progress) {
    this.metrics = metrics;
    this.progress = progress;
  }

  /**
   * Watches readers for some time.
   *
   * @throws IOException if one of them fails, or the DataNode does not answer
   */
  void watch(Workload workload, Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    Counters last = metrics.now();
    long lastAt = System.nanoTime();
    while (end - System.nanoTime() >= PERIOD_NANOS) {
      Wait.millis(Duration.ofNanos(PERIOD_NANOS).toMillis());
      workload.check();
      Counters now = metrics.now();
      long nowAt = System.nanoTime();
      progress.live(line(now, now.since(last), nowAt - lastAt, nowAt - began));
      last = now;
      lastAt = nowAt;
    }
    Wait.millis(Duration.ofNanos(end - System.nanoTime()).toMillis());
    workload.check();
    progress.endLive();
  }

  private static String line(Counters total, Counters recent, long recentNanos, long nanos) {
    return Text.format("%4d s  %,6.0f reads/s  reuse %7s  offload %7s  SSD %8s  disk %8s",
        Duration.ofNanos(nanos).toSeconds(),
        recent.reads() * 1e9 / recentNanos,
        Text.percent(recent.reuseRate()), Text.percent(recent.offload()),
        Text.bytes(total.bytesFromSsd()), Text.bytes(total.bytesFromDisk()));
  }
}
