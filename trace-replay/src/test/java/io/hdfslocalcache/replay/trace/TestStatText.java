/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.TraceStat.ReadSizes;
import org.junit.Test;

/** The numbers of a trace as an operator reads them. */
public class TestStatText {

  private static List<String> print(TraceStat stat) {
    return stat.text().lines().skip(1).map(line -> line.replaceAll(" {2,}", " ")).toList();
  }

  private static StatTrace threeReads() {
    return new StatTrace().reads(2, 0, 1, 1024).add(Op.READ, StatTrace.HOUR / 2, 2, 4096)
        .add(Op.SHORT_CIRCUIT, 4, 3, 0).add(Op.WRITE, 5, 4, 100);
  }

  @Test
  public void everyNumber_hasItsLine() throws Exception {
    assertEquals(List.of("from 1970-01-01T00:00:00Z", "hours 0.5", "reads 3", "writes 1",
        "blocks 3", "blocks read 2", "blocks read once 50.0 % of the blocks read",
        "average block size 2.5 KB",
        "reads on top 1 blocks, 1 hour 66.7 % in 1 hour",
        "bytes read 6 KB", "short-circuit opens 1", "readers 4",
        "bytes of a read, mean 2 KB",
        "bytes of a read, shares <1k 0.0 % <10k 100.0 % <100k 100.0 % <1m 100.0 % "
            + "<10m 100.0 % <100m 100.0 %"), print(threeReads().stat(1)));
  }

  @Test
  public void readersThatTheTraceDoesNotTell_areUnknown() throws Exception {
    Trace trace = threeReads().trace();
    Trace without = new Trace(trace.accesses(), trace.replicas(), trace.replicaBytes(),
        trace.readers(), false);
    assertEquals(List.of("readers unknown"), print(TraceStat.of(without, 1)).stream()
        .filter(line -> line.startsWith("readers")).toList());
  }

  @Test
  public void outcomes_areShares() throws Exception {
    TraceStat stat = threeReads().stat(1);
    TraceStat traced = new TraceStat(stat.start(), stat.hours(), stat.reads(), stat.writes(),
        stat.blocks(), stat.blocksRead(), stat.averageBlockBytes(), stat.top(),
        stat.blocksReadOnce(), stat.readBytes(), stat.shortCircuit(),
        stat.readers(), stat.sizes(), Map.of("hit", 0.25));
    assertEquals(List.of("reads in the local cache hit 25.0 %"), print(traced).stream()
        .filter(line -> line.startsWith("reads in")).toList());
  }

  @Test
  public void sizes_limit_isNotBelowItself() {
    assertEquals(0.5, ReadSizes.of(new long[] {1023, 1024}).below().get("1k"), 0);
  }
}
