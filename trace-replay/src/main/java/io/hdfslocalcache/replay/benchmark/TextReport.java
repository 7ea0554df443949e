/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.Comparison.Minutes;
import io.hdfslocalcache.replay.benchmark.Comparison.Saving;
import io.hdfslocalcache.replay.benchmark.Phase.Step;
import io.hdfslocalcache.replay.text.Text;

/** The results as text. */
final class TextReport {

  /** Runs shorter than this are shown in smaller steps than minutes. */
  private static final int SHORT_SECONDS = 180;
  private static final int MINUTE = 60;
  private static final int SHORT_STEP = 10;

  private final StringBuilder text = new StringBuilder();
  private final List<Phase> phases;

  TextReport(List<Phase> phases) {
    this.phases = phases;
  }

  private void append(String format, Object... args) {
    text.append(Text.format(format, args));
  }

  String text(String name, Map<String, Object> settings, Map<String, Tally> prepared) {
    append("----- %s -----%n", name);
    settings.forEach((key, value) -> append("%-42s%s%n", key, value));
    prepared.forEach((key, tally) -> append("%-42s%.1f MB/s, %.1f MB%n", key,
        Figure.throughput(tally), tally.bytes() / (double) (1 << 20)));
    text.append('\n');
    figures();
    for (Phase phase : phases) {
      tallies(phase);
      steps(phase);
    }
    return text.toString();
  }

  private void figures() {
    boolean two = phases.size() == 2;
    append("%-42s", "local cache");
    phases.forEach(phase -> append("%14s", phase.name()));
    append("%s%n", two ? Text.format("%14s", "ratio") : "");
    for (Figure figure : Figure.ALL) {
      append("%-42s", figure.title());
      phases.forEach(phase -> append("%14s", figure.text(phase)));
      append("%s%n",
          two ? Text.format("%14s", figure.ratio(phases.get(0), phases.get(1))) : "");
    }
    Saving.of(phases).ifPresent(saving -> append("%s%n", saving.text()));
    Minutes.of(phases).ifPresent(minutes -> append("%s%n", minutes.text(phases)));
    for (Phase phase : phases) {
      if (phase.warmUpMillis() > 0) {
        append("%s: the warm-up of %.1f s is in none of these figures (%,d reads, %.1f s waited)%n",
            phase.name(), phase.warmUpMillis() / 1000.0, phase.warmUp().operations(),
            phase.warmUp().waitedSeconds());
      }
      if (phase.traffic().silentDataNodes() > 0) {
        append("%s: %s did not tell what came from a local cache%n", phase.name(),
            Text.count(phase.traffic().silentDataNodes(), "DataNode"));
      }
    }
  }

  private void tallies(Phase phase) {
    if (phase.tallies().size() > 1) {
      append("%nlocal cache %s%n", phase.name());
      phase.tallies().forEach((name, tally) -> append("%-42s%11.1f MB/s%n", name,
          Figure.throughput(tally)));
    }
  }

  private void steps(Phase phase) {
    int seconds = phase.timeline().steps() < SHORT_SECONDS ? SHORT_STEP : MINUTE;
    append("%nlocal cache %s%n%10s%12s%12s%14s%18s%16s%12s%n", phase.name(), "second", "reads/s",
        "MB/s", "waiting", "local cache MB/s", "replicas MB/s", "offload");
    for (Step step : Step.of(phase, seconds)) {
      append("%10.0f%12.1f%12.1f%14.2f%18.1f%16.1f%12s%n", step.second(), step.reads(),
          step.megabytes(), step.waiting(), step.fromLocalCache(), step.fromReplicas(),
          Double.isNaN(step.offload()) ? "-" : Text.format("%.1f %%", step.offload()));
    }
  }
}
