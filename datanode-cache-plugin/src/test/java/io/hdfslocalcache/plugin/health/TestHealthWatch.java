/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.metrics.Operation;
import org.apache.hadoop.util.Daemon;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class TestHealthWatch {

  private static final HealthLimits LIMITS =
      new HealthLimits(TimeUnit.SECONDS.toNanos(30), TimeUnit.MILLISECONDS.toNanos(1));

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(60);

  private HealthWatch.Watched ssd(String name, SsdHealth.Listener listener) throws IOException {
    Path directory = folder.newFolder(name).toPath();
    SsdHealth health = new SsdHealth(LIMITS, System::nanoTime, () -> 0, listener);
    return new HealthWatch.Watched(
        name, new SsdIo(name, 1, LIMITS, health), new SsdProbe(directory)::run);
  }

  private static void awaitNormal(HealthWatch.Watched ssd) throws InterruptedException {
    while (ssd.io().health().state() != SsdState.NORMAL) {
      Thread.sleep(1);
    }
  }

  @Test
  public void probe_noThreadForSomeTime_isMadeWhenThereIsOne() throws Exception {
    HealthWatch.Watched ssd = ssd("ssd", (before, now, reason) -> { });
    ssd.io().health().hung(Operation.PAGE_READ, 1);
    AtomicInteger asked = new AtomicInteger();
    try (HealthWatch watch = new HealthWatch(List.of(ssd), LIMITS,
        task -> asked.incrementAndGet() <= 3 ? new NoThread(task) : new Daemon(task))) {
      awaitNormal(ssd);
    }
    assertEquals("three in vain, and three that succeed",
        3 + HealthLimits.GOOD_PROBES, asked.get());
  }

  @Test
  public void probe_failsForWantOfDescriptors_isNoFailureOfTheSsd() throws Exception {
    SsdHealth health = new SsdHealth(LIMITS, System::nanoTime, () -> 0, (before, now, reason) -> { });
    AtomicInteger asked = new AtomicInteger();
    HealthWatch.Watched ssd = new HealthWatch.Watched("ssd", new SsdIo("ssd", 1, LIMITS, health),
        nanoClock -> {
          if (asked.incrementAndGet() == 2) {
            throw new IOException("Too many open files");
          }
          return 1;
        });
    health.hung(Operation.PAGE_READ, 1);
    try (HealthWatch watch = new HealthWatch(List.of(ssd), LIMITS)) {
      awaitNormal(ssd);
    }
    assertEquals("it did not start over", 1 + HealthLimits.GOOD_PROBES, asked.get());
  }

  @Test
  public void look_failsWithOneSsd_theOthersAreLookedAfter() throws Exception {
    HealthWatch.Watched unlucky = ssd("unlucky", (before, now, reason) -> { });
    HealthWatch.Watched other = ssd("other", (before, now, reason) -> { });
    unlucky.io().health().hung(Operation.PAGE_READ, 1);
    try (HealthWatch watch = new HealthWatch(List.of(unlucky, other), LIMITS, task -> {
      if (unlucky.io().health().state() == SsdState.DOWN
          && other.io().health().state() == SsdState.NORMAL) {
        // So far, only the first one probes.
        other.io().health().hung(Operation.PAGE_READ, 1);
        throw new OutOfMemoryError("thrown by a test");
      }
      return new Daemon(task);
    })) {
      awaitNormal(other);
      awaitNormal(unlucky);
    }
  }
}
