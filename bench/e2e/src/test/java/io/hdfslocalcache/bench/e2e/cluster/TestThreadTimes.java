/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import org.junit.Test;

public class TestThreadTimes {

  @Test
  public void work_isCounted_ofThreadsThatAreNewToo() throws Exception {
    long pid = ProcessHandle.current().pid();
    ThreadTimes before = ThreadTimes.of(pid);
    Thread worker = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        Math.sin(System.nanoTime());
      }
    });
    worker.start();
    try {
      double used = 0;
      for (int i = 0; used < 0.05; i++) {
        Thread.sleep(10);
        used = ThreadTimes.of(pid).since(before).seconds();
        assertTrue("nothing is ever counted", i < 6000);
      }
    } finally {
      worker.interrupt();
      worker.join();
    }
  }

  @Test
  public void noTimeBetween_isNothing() throws IOException {
    ThreadTimes times = ThreadTimes.of(ProcessHandle.current().pid());

    assertTrue(times.since(times).seconds() == 0);
    assertTrue(times.since(times).compilerSeconds() == 0);
  }

  @Test
  public void noSuchProcess_throws() {
    assertThrows(IOException.class, () -> ThreadTimes.of(Integer.MAX_VALUE));
  }
}
