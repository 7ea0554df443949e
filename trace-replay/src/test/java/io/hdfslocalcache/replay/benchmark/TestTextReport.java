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
import java.util.Optional;

import io.hdfslocalcache.replay.operator.ClusterCounters.Counted;
import org.junit.Test;

/** What an operator reads at the end of a benchmark, line by line. */
public class TestTextReport {

  private static String report(Phase... phases) {
    return new BenchmarkReport("replay", Map.of(), List.of(phases)).report().text();
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
    String text = new BenchmarkReport("replay", settings,
        List.of(reads(1).phase("as it is"))).report().text();
    assertEquals(List.of("Benchmark replay: local cache as it is", "", "setting value", "rate 2.0",
        "not to be done: writes, short-circuit 7", ""),
        text.lines().limit(6).map(line -> line.replaceAll(" +", " ")).toList());
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
    String less = report(reads(4).phase("off"), reads(1).phase("on", PhaseMaker.counted(1, 1)));
    assertEquals("readers waited 75.0 % less, 50.0 % of the bytes came from the local cache",
        line(less, "readers waited"));
    String more = report(reads(4).phase("off"), reads(5).phase("on", PhaseMaker.counted(0, 1)));
    assertEquals("readers waited 25.0 % more, 0.0 % of the bytes came from the local cache",
        line(more, "readers waited"));
  }

  @Test
  public void saving_everyReadFailed_isNotClaimed() {
    String text = report(reads(4).phase("off"),
        new PhaseMaker().failed(1).phase("on", PhaseMaker.counted(1, 1)));
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
    String text = report(reads(1).phase("off", new Counted(Optional.empty(), 1)),
        reads(1).phase("on", new Counted(Optional.empty(), 12)));
    assertEquals("off: 1 DataNode did not tell what came from a local cache", line(text, "off: "));
    assertEquals("on: 12 DataNodes did not tell what came from a local cache", line(text, "on: "));
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
}
