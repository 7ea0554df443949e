/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on the terminal; nothing if there is no terminal. */
final class Bar implements AutoCloseable {

  private final ProgressBar bar;

  private Bar(ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * Shows a bar.
   *
   * @param what the work
   * @param total how much of it there is
   * @param wanted whether to show anything
   */
  static Bar of(String what, long total, boolean wanted) {
    return new Bar(!wanted || System.console() == null ? null : new ProgressBarBuilder()
        .setTaskName(what).setInitialMax(total).setStyle(ProgressBarStyle.ASCII)
        .clearDisplayOnFinish().build());
  }

  /** Some of it is done. May be called by several threads. */
  void add(long n) {
    if (bar != null) {
      bar.stepBy(n);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
