/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.operator.Traffic;
import io.hdfslocalcache.replay.operator.Traffic.Sample;
import org.junit.Test;

/** What an operator reads at the end of a benchmark, line by line. */
public class TestTextReport {

  private static String report(Phase... phases) {
    return new BenchmarkReport("replay", Map.of(), Map.of(), List.of(phases)).report().text();
  }

  /** @return the only line that begins like this, its words one space apart. */
  private static String line(String text, String beginning) {
    List<String> found = text.lines().filter(line -> line.startsWith(beginning)).toList();
    assertEquals(text, 1, found.size());
    return found.get(0).replaceAll(" +", " ");
  }

  private static PhaseMaker reads(double seconds) {
    return new PhaseMaker().read(0, seconds, 8);
  }

  @Test
  public void settings_comeFirst_inTheirOrder() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rate", 2.0);
    settings.put("not to be done: writes, short-circuit", 7L);
    Tally written = new Tally();
    written.add(0, 2_000_000, 6L << 20);
    String text = new BenchmarkReport("replay", settings, Map.of("write", written),
        List.of(reads(1).phase("as it is"))).report().text();
    assertEquals(List.of("Benchmark replay: local cache as it is", "", "setting value", "rate 2.0",
        "not to be done: writes, short-circuit 7", "write 3.0 MB/s, 6.0 MB", ""),
        text.lines().limit(7).map(line -> line.replaceAll(" +", " ")).toList());
  }

  @Test
  public void onePhase_hasNoRatio() {
    String text = report(reads(2).phase("as it is"));
    assertEquals("local cache as it is",
        text.lines().filter(line -> line.startsWith("local cache")).findFirst().orElseThrow()
            .replaceAll(" +", " ").strip());
    assertFalse(text, text.contains("ratio"));
    assertEquals("throughput, MB/s 4.0", line(text, "throughput, MB/s"));
    assertFalse(text, text.contains("readers waited"));
  }

  @Test
  public void twoPhases_areSideBySideWithTheirRatio() {
    String text = report(reads(4).phase("off"), reads(1).phase("on"));
    assertEquals("throughput, MB/s 2.0 8.0 4.000", line(text, "throughput, MB/s"));
    assertEquals("waited for reads, seconds, all readers 4.0 1.0 0.250",
        line(text, "waited for reads, seconds, all readers"));
    assertEquals("late reads 0 0 -", line(text, "late reads"));
    assertEquals("offload, % - - -", line(text, "offload, %"));
  }

  @Test
  public void saving_lessAndMore_areSaidSo() {
    String less = report(reads(4).phase("off"), reads(1).phase("on", PhaseMaker.offload(0.5)));
    assertEquals("readers waited 75.0 % less, 50.0 % of the bytes came from the local cache",
        line(less, "readers waited"));
    String more = report(reads(4).phase("off"), reads(5).phase("on", PhaseMaker.offload(0)));
    assertEquals("readers waited 25.0 % more, 0.0 % of the bytes came from the local cache",
        line(more, "readers waited"));
  }

  @Test
  public void saving_everyReadFailed_isNotClaimed() {
    String text = report(reads(4).phase("off"),
        new PhaseMaker().failed(1).phase("on", PhaseMaker.offload(0.5)));
    assertFalse(text, text.contains("readers waited 100.0 % less"));
    assertEquals("failed reads 0 1 -", line(text, "failed reads"));
  }

  @Test
  public void saving_withoutOffload_isNotClaimed() {
    String text = report(reads(4).phase("off"), reads(1).phase("on"));
    assertTrue(text, text.lines().noneMatch(line -> line.startsWith("readers waited")));
    assertEquals("with the warm-up: readers waited 4.0 s off, 1.0 s on, ratio 0.250; "
        + "longer in none of 1 minute", line(text, "with the warm-up"));
  }

  @Test
  public void warmUp_isToldOfEachPhase() {
    String text = report(new PhaseMaker().warmedUp(0, 2).warmedUp(1, 2.5).read(3, 4, 1)
        .phase("off"), reads(1).phase("on"));
    assertEquals("off: the warm-up of 2.5 s is in none of these figures (2 reads, 3.5 s waited)",
        line(text, "off: the warm-up"));
    assertFalse("there was none", text.contains("on: the warm-up"));
  }

  @Test
  public void silentDataNodes_areCounted() {
    String text = report(reads(1).phase("off", new Traffic(List.of(), 1)),
        reads(1).phase("on", new Traffic(List.of(), 12)));
    assertEquals("off: 1 DataNode did not tell what came from a local cache", line(text, "off: "));
    assertEquals("on: 12 DataNodes did not tell what came from a local cache", line(text, "on: "));
  }

  @Test
  public void passes_haveTheirOwnThroughput() {
    String text = report(new PhaseMaker().readAs("pass 001", 0, 4, 8)
        .readAs("pass 002", 4, 5, 8).phase("as it is"));
    assertEquals("pass 001 2.0", line(text, "pass 001"));
    assertEquals("pass 002 8.0", line(text, "pass 002"));
  }

  @Test
  public void steps_shortRun_areTenSeconds_aLongOneMinutes() {
    assertEquals(List.of(10, 20, 25), seconds(reads(24.5).phase("on")));
    assertEquals(List.of(60, 120, 180, 200), seconds(reads(199.5).phase("on")));
  }

  private static List<Integer> seconds(Phase phase) {
    return report(phase).lines().dropWhile(line -> !line.stripLeading().startsWith("second "))
        .skip(1).map(line -> Integer.valueOf(line.strip().split(" +")[0])).toList();
  }

  @Test
  public void steps_showWhereBytesCameFrom_andAHyphenIfThereWereNone() {
    Traffic traffic = new Traffic(List.of(new Sample(0, 0, 0, 0, 0),
        new Sample(10_000, 30L << 20, 10L << 20, 0, 0), new Sample(20_000, 30L << 20,
        10L << 20, 0, 0)), 0);
    List<String> lines = report(new PhaseMaker().read(0, 5, 40).read(12, 17, 0)
        .phase("on", traffic)).lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
    assertTrue(lines.toString(), lines.contains("10 0.1 4.0 0.50 3.0 1.0 75.0 %"));
    assertTrue("8 of 10 seconds", lines.contains("18 0.1 0.0 0.63 0.0 0.0 -"));
  }
}
