/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The summary of a fleet for people. */
final class FleetText {
  private static final String INDENT = "  ";

  private FleetText() {}

  /** @return the summary line by line, without the failures. */
  static List<String> of(FleetSummary fleet) {
    List<String> lines = new ArrayList<>();
    int failed = fleet.failures().values().stream().mapToInt(List::size).sum();
    List<String> conditions = new ArrayList<>();
    fleet.conditions().forEach((condition, n) -> conditions.add(n + " " + condition));
    conditions.add(failed + " without an answer");
    lines.add(Text.count(fleet.asked(), "DataNode") + ": " + String.join(", ", conditions));
    addTotals(lines, fleet.totals());
    lines.add(row("by DataNode", "lowest", "10 %", "median", "90 %", "highest"));
    lines.add(row("offload", fleet.offload()));
    lines.add(row("reuse rate", fleet.reuseRate()));
    lines.add("Lowest offload:" + (fleet.lowestOffload().isEmpty() ? " none has any" : ""));
    fleet.lowestOffload().forEach((dataNode, share) ->
        lines.add(String.format(Locale.ROOT, "%9s  %s", Text.percent(share), dataNode)));
    lines.add("Not normal:" + (fleet.notNormal().isEmpty() ? " none" : ""));
    fleet.notNormal().forEach((what, dataNodes) ->
        lines.add(INDENT + what + ": " + String.join(", ", dataNodes)));
    lines.add("Different from most:" + (fleet.different().isEmpty() ? " none" : ""));
    for (FleetDifference one : fleet.different()) {
      lines.add(INDENT + one.key() + " = " + orNotSet(one.value()) + ", most have "
          + orNotSet(one.most()) + ": " + String.join(", ", one.dataNodes()));
    }
    return lines;
  }

  /** @return a line for each reason why DataNodes did not answer. */
  static List<String> failures(FleetSummary fleet) {
    List<String> lines = new ArrayList<>();
    fleet.failures().forEach((why, dataNodes) -> lines.add(Text.count(dataNodes.size(), "DataNode")
        + ": " + why + ": " + String.join(", ", dataNodes)));
    return lines;
  }

  private static void addTotals(List<String> lines, FleetTotals totals) {
    List<String> states = new ArrayList<>();
    totals.ssds().forEach((state, n) -> states.add(n + " " + state));
    lines.add(INDENT + "SSDs: " + (states.isEmpty() ? "none" : String.join(", ", states)) + "; "
        + Text.bytes(totals.usedBytes()) + " of " + Text.bytes(totals.capacityBytes()) + " used");
    lines.add(INDENT + "offload " + Text.percent(totals.offload()) + ", reuse rate "
        + Text.percent(totals.reuseRate()) + "; " + Text.bytes(totals.ssdBytes())
        + " read from SSDs, " + Text.bytes(totals.memoryBytes()) + " from memory, "
        + Text.bytes(totals.volumeBytes()) + " from data volumes");
    lines.add(INDENT + Text.count(totals.pages(), "page") + "; " + totals.fills() + " filled, "
        + totals.evictions() + " evicted; " + (totals.errors() == 0 ? "no errors"
            : Text.count(totals.errors(), "error") + " on "
                + Text.count(totals.dataNodesWithErrors(), "DataNode")));
  }

  private static String row(String name, FleetSummary.Spread spread) {
    return spread == null ? row(name, "-", "-", "-", "-", "-")
        : row(name, Text.percent(spread.lowest()), Text.percent(spread.tenth()),
            Text.percent(spread.median()), Text.percent(spread.nineTenths()),
            Text.percent(spread.highest()));
  }

  private static String row(String name, String... cells) {
    StringBuilder row = new StringBuilder(String.format("  %-11s", name));
    for (String cell : cells) {
      row.append(String.format("%9s", cell));
    }
    return row.toString();
  }

  private static String orNotSet(String value) {
    return value.isEmpty() ? "(not set)" : value;
  }
}
