/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.replay.operator.DataNodeMetrics;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;

/**
 * What the user sees: lines that stay, and a line that lives. On a terminal that line is redrawn
 * in its place; elsewhere it is printed anew every few seconds.
 */
final class Progress {

  private static final long PLAIN_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** To the first column, where no wrapping spoils what is redrawn. */
  private static final String REDRAW = "\r\033[?7l";
  private static final String END_OF_LINE = "\033[K\033[?7h";

  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier nanoClock;
  private String live;
  private boolean liveIsShown;
  private long nextPlain;

  /** Prints to a stream, which is a terminal or not. */
  Progress(PrintStream out, boolean terminal, LongSupplier nanoClock) {
    this.out = out;
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.nextPlain = nanoClock.getAsLong();
  }

  /** @return whether standard output is a terminal that can redraw a line. */
  static boolean isTerminal() {
    return System.console() != null && !"dumb".equals(System.getenv("TERM"));
  }

  /** Prints a line that stays. */
  void say(String line) {
    endLive();
    out.println(line);
  }

  /** Prints a formatted line that stays. */
  void say(String format, Object... args) {
    say(Text.format(format, args));
  }

  /** Shows the present state of the line that lives. */
  void live(String line) {
    live = line;
    if (terminal) {
      out.print(REDRAW + line + END_OF_LINE);
      out.flush();
      liveIsShown = true;
    } else {
      liveIsShown = nanoClock.getAsLong() - nextPlain >= 0;
      if (liveIsShown) {
        out.println(line);
        nextPlain = nanoClock.getAsLong() + PLAIN_PERIOD_NANOS;
      }
    }
  }

  /** Leaves the line that lives as it is now; the next one starts below. */
  void endLive() {
    if (live != null && terminal) {
      out.println();
    } else if (live != null && !liveIsShown) {
      out.println(live);
    }
    live = null;
    nextPlain = nanoClock.getAsLong();
  }

  /** Shows once a second what the readers get: rates of that second, bytes since the beginning. */
  static final class LiveView {

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
}
