/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import io.hdfslocalcache.replay.benchmark.Tally.Timeline;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;

/** What two phases say together. */
final class Comparison {

  private Comparison() {
  }

  /**
   * How long readers waited in each minute of two phases, from the very beginning: what a phase is
   * warmed up with belongs to it.
   *
   * @param before seconds waited in all of the first phase
   * @param after the same of the second one
   * @param longer which minutes of the second one had more of it than the same minute of the first;
   *     counted from 1. A phase that has ended waits no more.
   * @param number of minutes, that of the longer phase
   */
  record Minutes(double before, double after, List<Integer> longer, int number) {

    private static final int STEPS = (int) (60_000 / Timeline.STEP_MILLIS);
    private static final double SECONDS = Timeline.STEP_MILLIS / 1000.0;

    /** @return the minutes, if two phases were compared and readers waited. */
    static Optional<Minutes> of(List<Phase> phases) {
      if (phases.size() != 2) {
        return Optional.empty();
      }
      Timeline first = phases.get(0).timeline();
      Timeline second = phases.get(1).timeline();
      int minutes = (Math.max(first.steps(), second.steps()) + STEPS - 1) / STEPS;
      double before = 0;
      double after = 0;
      List<Integer> longer = new ArrayList<>();
      for (int minute = 0; minute < minutes; minute++) {
        double off = waited(first, minute);
        double on = waited(second, minute);
        before += off;
        after += on;
        if (on > off) {
          longer.add(minute + 1);
        }
      }
      return before > 0 ? Optional.of(new Minutes(before, after, List.copyOf(longer), minutes))
          : Optional.empty();
    }

    private static double waited(Timeline timeline, int minute) {
      double seconds = 0;
      for (int i = minute * STEPS; i < Math.min(timeline.steps(), (minute + 1) * STEPS); i++) {
        seconds += timeline.waiting(i) * SECONDS;
      }
      return seconds;
    }

    double ratio() {
      return after / before;
    }

    /** @return a line of which scripts take the numbers apart. */
    String text(List<Phase> phases) {
      return Text.format("with the warm-up: readers waited %.1f s %s, %.1f s %s, ratio %.3f; "
          + "longer in %s of %s", before, phases.get(0).name(), after, phases.get(1).name(),
          ratio(), longer.isEmpty() ? "none" : "minute " + longer.stream().map(String::valueOf)
              .collect(Collectors.joining(", ")), Text.count(number, "minute"));
    }
  }

  /**
   * What the second phase saved, without what warmed it up.
   *
   * @param blockedPercent how much less time readers waited for reads, in percent of the first one
   * @param offloadPercent share of the bytes of the second one that came from local caches
   */
  record Saving(double blockedPercent, double offloadPercent) {

    private static final int PERCENT = 100;

    /** @return what was saved, if two phases were compared and all is known. */
    static Optional<Saving> of(List<Phase> phases) {
      if (phases.size() != 2) {
        return Optional.empty();
      }
      double before = phases.get(0).main().waitedSeconds();
      Tally after = phases.get(1).main();
      // If all its reads failed, nobody waited for one; that is no saving.
      OptionalDouble offload = phases.get(1).counted().counters()
          .map(Counters::offload).orElse(OptionalDouble.empty());
      return before > 0 && after.operations() > 0 && offload.isPresent()
          ? Optional.of(new Saving(PERCENT * (1 - after.waitedSeconds() / before),
              PERCENT * offload.getAsDouble()))
          : Optional.empty();
    }

    String text() {
      return Text.format("readers waited %.1f %% %s, %.1f %% of the bytes came from the local "
          + "cache", Math.abs(blockedPercent), blockedPercent >= 0 ? "less" : "more",
          offloadPercent);
    }
  }
}
