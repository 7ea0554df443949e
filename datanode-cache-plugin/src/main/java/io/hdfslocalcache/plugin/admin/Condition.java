/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.ssd.SsdReport;

/**
 * The condition of the local cache of a DataNode in one word, for operators and scripts. If several
 * hold, the worst.
 *
 * @param name one of those listed in {@code docs/commands.md}
 * @param detail the reason or the progress; may be empty
 */
public record Condition(String name, String detail) {

  /** Share of the capacity from which the SSDs count as full. */
  private static final double WARM = 0.9;
  /** The conditions of a local cache that works. */
  private static final Set<String> NORMAL = Set.of("dry-run", "warm", "not-filling", "filling");

  /** @return whether the local cache works. */
  public boolean isNormal() {
    return NORMAL.contains(name);
  }

  /** @return the condition of a local cache that has no SSD, or none yet. */
  public static Condition closed(OnOff onOff) {
    if (onOff.isDryRun() && onOff.isOn()) {
      return new Condition("dry-run", "");
    }
    if (!onOff.isPossible()) {
      return new Condition("no-ssd", "");
    }
    // The saved state, which may be on, is not known yet.
    return onOff.isOn() || !onOff.isCommanded() ? new Condition("starting", OnOff.STARTING)
        : new Condition("off", "");
  }

  /**
   * @param restoring progress of restoring pages after a restart; empty if all are restored
   * @param unsaved places where state cannot be saved, with the reason
   * @param refusedRules why the rules file is refused; empty if it is not
   * @param holdsBack why no page may be written now; empty if pages may
   */
  static Condition open(OnOff onOff, List<SsdReport> ssds, String restoring,
      Map<Path, String> unsaved, String refusedRules, String holdsBack) {
    if (onOff.isDryRun() && onOff.isOn()) {
      return new Condition("dry-run", holdsBack);
    }
    if (ssds.stream().allMatch(ssd -> ssd.isDrained() && ssd.state().isReadable())) {
      return new Condition("no-ssd", "");
    }
    if (!onOff.isOn()) {
      return new Condition("off", "");
    }
    if (ssds.stream().anyMatch(ssd -> !ssd.state().isReadable())) {
      return new Condition("ssd-down", names(ssds.stream()
          .filter(ssd -> !ssd.state().isReadable()).toList()));
    }
    if (!restoring.isEmpty()) {
      return new Condition("restoring", restoring);
    }
    List<SsdReport> degraded = ssds.stream().filter(
        ssd -> ssd.state() != SsdState.NORMAL || !ssd.noSpace().isEmpty()).toList();
    if (!degraded.isEmpty()) {
      return new Condition("ssd-degraded", names(degraded));
    }
    if (!unsaved.isEmpty()) {
      return new Condition("ssd-degraded", "cannot save state in " + unsaved.entrySet().stream()
          .map(place -> place.getKey() + ": " + place.getValue())
          .collect(Collectors.joining(", ")));
    }
    if (!refusedRules.isEmpty()) {
      return new Condition("rules-refused", refusedRules);
    }
    List<SsdReport> filled = ssds.stream().filter(ssd -> !ssd.isDrained()).toList();
    long used = filled.stream().mapToLong(SsdReport::usedBytes).sum();
    long capacity = filled.stream().mapToLong(SsdReport::capacityBytes).sum();
    String how = Sizes.text(used) + " of " + Sizes.text(capacity);
    if (used >= WARM * capacity) {
      return new Condition("warm", holdsBack.isEmpty() ? how : how + "; " + holdsBack);
    }
    return holdsBack.isEmpty() ? new Condition("filling", how)
        : new Condition("not-filling", holdsBack);
  }

  private static String names(List<SsdReport> ssds) {
    return ssds.stream().map(ssd -> ssd.directory().toString()).collect(Collectors.joining(", "));
  }
}
