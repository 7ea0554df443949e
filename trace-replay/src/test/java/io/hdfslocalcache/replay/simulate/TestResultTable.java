/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.List;

import io.hdfslocalcache.replay.simulate.Result.ResultTable;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace;
import org.junit.Test;

/** The line of a result, as people see it. */
public class TestResultTable {

  private static final int PAGE = Traces.PAGE;

  private static List<String> lines(Trace trace, Setting... settings) throws Exception {
    Disk disk = new Disk(10, 1e6, 1);
    return ResultTable.text(new Sweep(trace, disk, 1, () -> { }).run(List.of(settings)))
        .lines().map(line -> line.replaceAll(" {2,}", "  ")).toList();
  }

  @Test
  public void print_result_hasItsFiguresInOneLine() throws Exception {
    List<String> lines = lines(Traces.ofPages(1, 1, 2, 1),
        new Setting(Limiter.bucketTime(0, "10m"), PAGE, 1 << 20));
    String line = lines.get(1);
    assertTrue(line, line.startsWith("bucket-time "));
    // Two of four reads are hits; the head is idle for them.
    assertTrue(line, line.matches(
        ".*  0  10m  4 KB  1 MB  50\\.0 %  50\\.0 %  50\\.0 % .* 50 % \\(1\\) .*"));
    assertTrue("nothing was evicted", line.contains("  -  "));
    assertEquals("Without local cache: 0.0 h of HDD time, p99 wait 14 ms, relief 0",
        lines.get(lines.size() - 1));
  }

  private static final String TOO_SHORT = "A trace of 3 s is too short to say what is written or "
      + "saved in a day, or how long the SSD lasts: this needs 12 hours at least.";

  @Test
  public void print_shortTrace_saysNothingOfADay() throws Exception {
    List<String> lines = lines(Traces.ofPages(1, 1, 2, 1),
        new Setting(Limiter.ADMIT_ALL, PAGE, 1 << 20));
    assertTrue(lines.get(1), lines.get(1).matches(".* 50\\.0 %  50\\.0 %  50\\.0 %  -  -  -  .*"));
    assertTrue(lines.toString(), lines.contains(TOO_SHORT));
  }

  @Test
  public void print_traceOfTwelveHours_saysWhatIsWrittenInADay() throws Exception {
    long halfADay = 12 * 3_600_000L;
    List<String> lines = lines(new Traces().read(0, 1, 1, 0, PAGE)
        .read(halfADay, 2, 1, 0, PAGE).build(), new Setting(Limiter.ADMIT_ALL, PAGE, 1 << 20));
    assertTrue(lines.get(1), lines.get(1).contains("  32 KB  0.03  "));
    assertFalse(lines.toString(), lines.toString().contains("too short"));
  }

  @Test
  public void print_severalSettings_areInTheirOrder() throws Exception {
    List<String> lines = lines(Traces.ofPages(1, 2, 1),
        new Setting(Limiter.writeBudget(1 << 30), PAGE, 1 << 20),
        new Setting(Limiter.ADMIT_ALL, 2 * PAGE, 1 << 20),
        new Setting(Limiter.ADMIT_ALL, PAGE, 1 << 20));
    assertTrue(lines.get(1).startsWith("write-budget 1 GB/day "));
    assertTrue(lines.get(2).contains(" 8 KB "));
    assertTrue(lines.get(3).contains(" 4 KB "));
  }
}
