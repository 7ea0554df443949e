/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import static org.junit.Assert.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import org.junit.Test;

/** A line that lives, on a terminal and elsewhere. */
public class TestProgress {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private long nanos = Long.MAX_VALUE - 5;

  private Progress progress(boolean terminal) {
    return new Progress(
        new PrintStream(printed, true, StandardCharsets.UTF_8), terminal, () -> nanos);
  }

  private void assertPrinted(String expected) {
    assertEquals(expected, printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  public void live_terminal_isRedrawnInPlace() {
    Progress progress = progress(true);
    progress.live("one");
    progress.live("two");
    progress.say("stays");
    assertPrinted("\r\033[?7lone\033[K\033[?7h\r\033[?7ltwo\033[K\033[?7h\nstays\n");
  }

  @Test
  public void live_noTerminal_isPrintedEveryFiveSecondsAndAtTheEnd() {
    Progress progress = progress(false);
    for (int second = 0; second <= 12; second++) {
      progress.live(second + " s");
      nanos += TimeUnit.SECONDS.toNanos(1);
    }
    progress.say("stays");
    assertPrinted("0 s\n5 s\n10 s\n12 s\nstays\n");
  }

  @Test
  public void live_noTerminalAndShownAlready_isNotRepeated() {
    Progress progress = progress(false);
    progress.live("once");
    progress.say("stays");
    progress.live("again");
    progress.endLive();
    progress.endLive();
    assertPrinted("once\nstays\nagain\n");
  }

  @Test
  public void say_nothingLives_isOneLine() {
    progress(true).say("%,d reads", 1234);
    assertPrinted("1,234 reads\n");
  }
}
