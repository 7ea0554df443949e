/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.benchmark.Tally.Timeline;
import io.hdfslocalcache.replay.operator.ClusterCounters.Counted;

/**
 * A benchmark's readers with the local cache in one state.
 *
 * @param name the state
 * @param main what the readers measured: what figures are made of
 * @param warmUp the same of operations that are done first, and are in no figure
 * @param counted what the DataNodes counted after the warm-up
 * @param warmUpMillis time at the beginning that is in no figure; 0 if all is
 */
record Phase(String name, Tally main, Tally warmUp, Counted counted, long warmUpMillis) {

  /** @return what was done when, in the warm-up, too. */
  Timeline timeline() {
    Timeline all = new Timeline();
    all.add(main.timeline());
    all.add(warmUp.timeline());
    return all;
  }

  /**
   * A part of a phase's time.
   *
   * @param second its end, since the readers began
   * @param reads reads that ended in it, per second
   * @param megabytes what readers got, MB/s
   * @param waiting readers that waited for a read, on average
   */
  record Step(double second, double reads, double megabytes, double waiting) {

    private static final double MB = 1 << 20;

    /** @return a phase in steps of so many seconds; the last may be shorter */
    static List<Step> of(Phase phase, int seconds) {
      Timeline timeline = phase.timeline();
      List<Step> steps = new ArrayList<>();
      for (int from = 0; from < timeline.steps(); from += seconds) {
        steps.add(of(timeline, from, Math.min(timeline.steps(), from + seconds)));
      }
      return steps;
    }

    private static Step of(Timeline timeline, int from, int to) {
      double reads = 0;
      double bytes = 0;
      double waiting = 0;
      for (int i = from; i < to; i++) {
        reads += timeline.reads(i);
        bytes += timeline.bytes(i);
        waiting += timeline.waiting(i);
      }
      double seconds = (to - from) * Timeline.STEP_MILLIS / 1000.0;
      return new Step(to * Timeline.STEP_MILLIS / 1000.0, reads / seconds, bytes / MB / seconds,
          waiting / (to - from));
    }
  }
}
