/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import org.junit.Test;

public class TestProcStat {

  private static final double TICK = 0.01;

  @Test
  public void work_isCounted() throws IOException {
    long pid = ProcessHandle.current().pid();
    ProcStat before = ProcStat.of(pid);

    double used = 0;
    for (long x = 0; used < 10 * TICK; x++) {
      used = ProcStat.of(pid).seconds() - before.seconds();
      assertTrue("nothing is ever counted", x < 1_000_000);
    }

    assertTrue(before.all() >= before.compiler());
  }

  @Test
  public void noSuchProcess_throws() {
    assertThrows(IOException.class, () -> ProcStat.of(Integer.MAX_VALUE));
  }
}
