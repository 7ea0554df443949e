/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Map;

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

  private final Results results = new Results(Map.of());

  @Test
  public void hddWasNotTheBottleneck_noRatios() {
    Peers.judge(results, 0.9);
    assertTrue(results.hasRatios("peers/scan", "bcache"));
    Peers.judge(results, 0.89);
    assertFalse(results.hasRatios("peers/scan", "bcache"));
    assertTrue(results.text(), results.text().contains("No ratios: the HDD was not the bottleneck: "
        + "it did 89 % of its possible reads for the stock DataNode, at least 90 % are needed"));
  }

  @Test
  public void cpuWasTheBottleneck_noRatiosOfThatLoad() {
    Peers.judge(results, "peers/scan", Peers.Peer.BCACHE, 0.05, "0-10s of run 1");
    assertTrue(results.hasRatios("peers/scan", "bcache"));
    Peers.judge(results, "peers/scan", Peers.Peer.BCACHE, 0.049, "0-10s of run 1");
    assertFalse(results.hasRatios("peers/scan", "bcache"));
    assertFalse("its parts", results.hasRatios("peers/scan/10-20s", "bcache"));
    assertTrue("other loads", results.hasRatios("peers/saturated", "bcache"));
    assertTrue("other caches", results.hasRatios("peers/scan", "lvmcache, 1 MiB"));
    assertTrue(results.text(), results.text().contains("No ratios of peers/scan of bcache: a CPU was "
        + "the bottleneck: 4.9 % idle in 0-10s of run 1, at least 5 % are needed"));

    Peers.judge(results, "peers/scan", Peers.Peer.STOCK, 0, "0-10s of run 1");
    assertFalse("all are compared with stock", results.hasRatios("peers/scan", "lvmcache, 1 MiB"));
  }
}
