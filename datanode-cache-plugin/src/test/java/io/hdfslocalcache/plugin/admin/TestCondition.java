/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.ssd.SsdReport;
import org.junit.Test;

public class TestCondition {

  private final OnOff on = new OnOff(true, true, new LocalCacheMetrics());

  @Test
  public void closed_eachSwitch_isToldApart() {
    assertEquals(new Condition("starting", OnOff.STARTING), Condition.closed(on));
    OnOff off = new OnOff(false, true, new LocalCacheMetrics());
    assertEquals("on may be saved", "starting", Condition.closed(off).name());
    off.setOn(false, "by the test");
    assertEquals("off", Condition.closed(off).name());
    assertEquals("no-ssd", Condition.closed(new OnOff(false, false, new LocalCacheMetrics())).name());
    OnOff dryRun = OnOff.ofDryRun(new LocalCacheMetrics());
    assertEquals("dry-run", Condition.closed(dryRun).name());
    dryRun.setOn(false, "test");
    assertEquals("off", Condition.closed(dryRun).name());
  }

  @Test
  public void open_normalSsds_areFillingUntilTheyAreFull() {
    List<SsdReport> half = List.of(ssd(0, SsdState.NORMAL, 1024), ssd(1, SsdState.NORMAL, 0));
    assertEquals(new Condition("filling", "1 KB of 2 KB"), open(half, "", ""));
    assertEquals("as in every other line", "1.3 KB of 2 KB",
        open(List.of(ssd(0, SsdState.NORMAL, 1300, 2048)), "", "").detail());
    assertEquals(new Condition("warm", "922 B of 1 KB"),
        open(List.of(ssd(0, SsdState.NORMAL, 922)), "", ""));
    assertEquals("filling",
        open(List.of(ssd(0, SsdState.NORMAL, 921)), "", "").name());
  }

  @Test
  public void open_noSsdInUse_isNotTakenForFull() {
    Condition none = new Condition("no-ssd", "");
    assertFalse(none.isNormal());
    assertEquals("removed", none, open(List.of(), "", ""));
    assertEquals("drained", none, open(List.of(drained(0)), "", ""));
    assertEquals("not there", "ssd-down",
        open(List.of(ssd(0, SsdState.DOWN, 0, 0)), "", "").name());
  }

  @Test
  public void open_othersLeaveNoSpace_theSsdIsNamed() {
    List<SsdReport> ssds = List.of(ssd(0, SsdState.NORMAL, 0, 0), ssd(1, SsdState.NORMAL, 0));
    assertEquals(new Condition("ssd-degraded", "/ssd/0"), open(ssds, "", ""));
    assertEquals("it is drained", "filling",
        open(List.of(drained(0), ssd(1, SsdState.NORMAL, 0)), "", "").name());
  }

  @Test
  public void open_stateCannotBeSaved_thePlaceIsNamedUnlessSomethingIsWorse() {
    Map<Path, String> unsaved = Map.of(Path.of("/ssd/0/uuid"), "Read-only file system");
    assertEquals(
        new Condition("ssd-degraded", "cannot save state in /ssd/0/uuid: Read-only file system"),
        Condition.open(on, List.of(ssd(0, SsdState.NORMAL, 0)), "", unsaved, "", "spent"));
    assertEquals(new Condition("ssd-down", "/ssd/0"),
        Condition.open(on, List.of(ssd(0, SsdState.DOWN, 0)), "", unsaved, "", "spent"));
  }

  @Test
  public void open_rulesFileIsRefused_isNotNormal() {
    Condition refused = Condition.open(
        on, List.of(ssd(0, SsdState.NORMAL, 0)), "", Map.of(), "rules.json:5: wrong", "spent");
    assertEquals(new Condition("rules-refused", "rules.json:5: wrong"), refused);
    assertFalse(refused.isNormal());
  }

  @Test
  public void open_dryRunWithTheBudgetSpent_saysSo() {
    OnOff dryRun = OnOff.ofDryRun(new LocalCacheMetrics());
    List<SsdReport> ssds = List.of(ssd(0, SsdState.NORMAL, 1024));
    Condition spent = Condition.open(dryRun, ssds, "", Map.of(), "", "spent");
    assertEquals(new Condition("dry-run", "spent"), spent);
    assertTrue(spent.isNormal());
  }

  @Test
  public void open_fullWithTheBudgetSpent_isWarm() {
    Condition full = open(List.of(ssd(0, SsdState.NORMAL, 1024)), "", "spent");
    assertEquals(new Condition("warm", "1 KB of 1 KB; spent"), full);
    assertTrue(full.isNormal());
  }

  private Condition open(List<SsdReport> ssds, String restoring, String holdsBack) {
    return Condition.open(on, ssds, restoring, Map.of(), "", holdsBack);
  }

  @Test
  public void open_several_theWorstIsNamed() {
    List<SsdReport> all = List.of(ssd(0, SsdState.NORMAL, 0), ssd(1, SsdState.DEGRADED, 0),
        ssd(2, SsdState.PROBING, 0), ssd(3, SsdState.DOWN, 0));
    assertEquals(new Condition("ssd-down", "/ssd/2, /ssd/3"),
        open(all, "34 % (8 s)", "spent"));
    List<SsdReport> degraded = all.subList(0, 2);
    assertEquals(new Condition("restoring", "34 % (8 s)"),
        open(degraded, "34 % (8 s)", "spent"));
    assertEquals(new Condition("ssd-degraded", "/ssd/1"),
        open(degraded, "", "spent"));
    assertEquals(new Condition("not-filling", "spent"),
        open(all.subList(0, 1), "", "spent"));
    on.setOn(false, "by the test");
    assertEquals(new Condition("off", ""), open(all, "34 % (8 s)", "spent"));
  }

  private static SsdReport ssd(int number, SsdState state, long usedBytes) {
    return ssd(number, state, usedBytes, 1024);
  }

  private static SsdReport ssd(int number, SsdState state, long usedBytes, long capacityBytes) {
    return new SsdReport(
        Path.of("/ssd/" + number), state, "", usedBytes, capacityBytes, 0, 0, null, 0, false,
        capacityBytes > 0 ? "" : "no space");
  }

  private static SsdReport drained(int number) {
    return new SsdReport(
        Path.of("/ssd/" + number), SsdState.NORMAL, "", 2048, 2048, 0, 0, null, 0, true, "");
  }
}
