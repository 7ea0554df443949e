/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;

import org.junit.Test;

public class TestCpuTimes {

  private static final long PID = ProcessHandle.current().pid();
  private static final long WORK_NANOS = 100_000_000;

  /** A DataNode's threads end with their connections; what they did must not be forgotten. */
  @Test
  public void work_ofAThreadThatHasEnded_isCounted() throws Exception {
    CpuTimes before = CpuTimes.of(PID);
    Thread worker = new Thread(() -> {
      var threads = ManagementFactory.getThreadMXBean();
      while (threads.getCurrentThreadCpuTime() < WORK_NANOS) {
        Math.sin(System.nanoTime());
      }
    });
    worker.start();
    worker.join();

    CpuTimes.Used used = CpuTimes.of(PID).since(before);

    // The kernel counts in ticks of 10 ms, and user and system time apart.
    assertTrue(used.toString(), used.seconds() + used.compilerSeconds() >= WORK_NANOS / 1e9 / 2);
  }

  @Test
  public void compiler_isApart() {
    CpuTimes.Used used = new CpuTimes(3, 1.5).since(new CpuTimes(1, 1));

    assertEquals(1.5, used.seconds(), 1e-9);
    assertEquals(0.5, used.compilerSeconds(), 1e-9);
  }

  @Test
  public void noSuchProcess_throws() {
    assertThrows(IOException.class, () -> CpuTimes.of(Integer.MAX_VALUE >> 4));
  }
}
