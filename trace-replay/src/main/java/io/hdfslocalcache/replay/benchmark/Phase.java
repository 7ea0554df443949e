/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import io.hdfslocalcache.replay.benchmark.Tally.Timeline;
import io.hdfslocalcache.replay.operator.Traffic;

/**
 * A benchmark's readers with the local cache in one state.
 *
 * @param name the state
 * @param tallies what the readers measured, by name; what {@link #WARM_UP} names is in no figure
 * @param traffic what the DataNodes counted meanwhile
 * @param warmUpMillis time at the beginning that is in no figure; 0 if all is
 */
public record Phase(String name, Map<String, Tally> tallies, Traffic traffic, long warmUpMillis) {

  /** Name of the tally of operations that are done first, and are in no figure. */
  public static final String WARM_UP = "warm-up";

  /** @return all tallies together but that of the warm-up: what figures are made of. */
  public Tally total() {
    Tally total = new Tally();
    tallies.forEach((tallied, tally) -> {
      if (!tallied.equals(WARM_UP)) {
        total.add(tally);
      }
    });
    return total;
  }

  /** @return what was done when, in the warm-up, too. */
  public Timeline timeline() {
    Timeline all = new Timeline();
    tallies.values().forEach(tally -> all.add(tally.timeline()));
    return all;
  }

  /** @return what was done in the warm-up; nothing if there was none. */
  public Tally warmUp() {
    return tallies.getOrDefault(WARM_UP, new Tally());
  }

  /** @return the share of the bytes after the warm-up that came from SSDs. */
  public OptionalDouble offload() {
    return traffic.offload(firstMillis(), Long.MAX_VALUE);
  }

  /** @return the share of the reads of admitted blocks after the warm-up that SSDs served alone. */
  public OptionalDouble reuse() {
    return traffic.reuse(firstMillis(), Long.MAX_VALUE);
  }

  /** Without a warm-up, all counts: also what was read a moment before the start. */
  private long firstMillis() {
    return warmUpMillis == 0 ? Long.MIN_VALUE : warmUpMillis;
  }

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
}
