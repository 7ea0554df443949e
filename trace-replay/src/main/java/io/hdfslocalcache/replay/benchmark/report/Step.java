/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.report;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.benchmark.Phase;
import io.hdfslocalcache.replay.benchmark.measure.Timeline;

/**
 * A part of a phase's time.
 *
 * @param second its end, since the readers began
 * @param reads reads that ended in it, per second
 * @param megabytes what readers got, MB/s
 * @param waiting readers that waited for a read, on average
 * @param fromLocalCache what came from SSDs, MB/s
 * @param fromReplicas what came from data volumes, MB/s
 */
record Step(double second, double reads, double megabytes, double waiting, double fromLocalCache,
    double fromReplicas) {

  private static final double MB = 1 << 20;
  private static final double MILLIS = 1000;

  /** @return a phase in steps of so many seconds; the last may be shorter */
  static List<Step> of(Phase phase, int seconds) {
    Timeline timeline = phase.timeline();
    List<Step> steps = new ArrayList<>();
    for (int from = 0; from < timeline.steps(); from += seconds) {
      steps.add(of(phase, timeline, from, Math.min(timeline.steps(), from + seconds)));
    }
    return steps;
  }

  private static Step of(Phase phase, Timeline timeline, int from, int to) {
    double reads = 0;
    double bytes = 0;
    double waiting = 0;
    for (int i = from; i < to; i++) {
      reads += timeline.reads(i);
      bytes += timeline.bytes(i);
      waiting += timeline.waiting(i);
    }
    long start = from * Timeline.STEP_MILLIS;
    long end = to * Timeline.STEP_MILLIS;
    double seconds = (end - start) / MILLIS;
    return new Step(end / MILLIS, reads / seconds, bytes / MB / seconds, waiting / (to - from),
        phase.traffic().fromLocalCache(start, end) / MB / seconds,
        phase.traffic().fromReplicas(start, end) / MB / seconds);
  }

  /** @return the share of bytes from SSDs, in percent; NaN if there were none. */
  double offload() {
    double all = fromLocalCache + fromReplicas;
    return all > 0 ? 100 * fromLocalCache / all : Double.NaN;
  }
}
