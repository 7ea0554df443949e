/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;

import org.junit.Test;

public class TestPeers {

  private static void assertRefused(String message, String... args) {
    TestBench.assertRefused(message, Peers.commandLine(args), args);
  }

  @Test
  public void badValues_saidInOneLine() {
    assertRefused("--seconds: must be a multiple of 10 up to 300, not 15", "--seconds", "15");
    assertRefused("--seconds: must be a multiple of 10 up to 300, not 310", "--seconds", "310");
    assertRefused("--runs: must be from 1 to 20, not 0", "--runs", "0");
    assertRefused("Invalid value for option '--variants' (V): expected one of ",
        "--variants", "stock,flashcache");
    assertRefused("Invalid value for option '--loads' (L): expected one of ", "--loads", "reads");
    assertRefused("--hdd and --ssd: give both, or none", "--hdd", "/tmp");
    assertRefused("--hdd, --ssd: /dev/shm is not on a disk whose reads and writes Linux counts",
        "--hdd", "/dev/shm", "--ssd", "/dev/shm");
  }

  @Test
  public void refusals_onlyIfAnotherThanTheHddLimits() {
    assertEquals(List.of(), Peers.refusals(0.05, "", 0.9));

    List<String> busy = Peers.refusals(0.049, "saturated of stock, 0-10s of run 1", 0.9);
    assertEquals(1, busy.size());
    assertTrue(busy.get(0), busy.get(0).matches(
        "a CPU was the bottleneck: 5 % idle in saturated of stock, 0-10s of run 1, .*"));

    List<String> idleDisk = Peers.refusals(0.05, "", 0.89);
    assertEquals(1, idleDisk.size());
    assertTrue(idleDisk.get(0), idleDisk.get(0).matches(
        "the HDD was not the bottleneck: .* 89 % of its possible reads .* 90 % are needed"));
  }
}
