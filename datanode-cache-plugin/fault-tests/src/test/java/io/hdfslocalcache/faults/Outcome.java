/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import io.hdfslocalcache.harness.Table;

/**
 * What came of a scenario.
 *
 * @param reads reads that ended during the fault
 * @param failed reads that failed, at any time
 * @param wrong reads that returned a wrong byte
 * @param longestMillis the longest read that ended during the fault or after it
 * @param stalls what nobody should have noticed
 * @param calm the same before the fault
 * @param corruptReplicas replicas reported to the NameNode
 * @param failedVolumes data volumes that the DataNode gave up
 * @param bypassMillis from the begin of the fault to the end of trust in the SSD, -1 if it lasted
 * @param recoveryMillis from the end of the fault to the normal state, -1 if it was never left
 * @param downMillis how long the SSD was down or only probed, from the begin of the fault
 * @param hitsWhileDown hits in that time, which only the other SSD can have served
 * @param worst the SSD's worst state, and why
 * @param other the same of the other SSD
 * @param errors error counters that grew, by how much
 * @param damagedPages pages dropped because their file was not what it should be
 * @param failure what was wrong first, or null
 */
public record Outcome(Scenario scenario, long reads, long failed, long wrong, long longestMillis,
    Stalls stalls, Stalls calm, long corruptReplicas, int failedVolumes, long bypassMillis,
    long recoveryMillis,
    long downMillis, long hitsWhileDown, String worst, String other, String errors,
    long damagedPages, Throwable failure) {

  private static final String NONE = "";
  /** How long something may take with a sick SSD beside it. */
  static final Stalls MOST = new Stalls(1500, 1000);
  /** On a busy machine: times what it takes there without a fault. */
  private static final int BUSY = 3;

  /**
   * What an SSD must not hold up that is none of its business.
   *
   * @param readMillis the longest read of files on the other SSD
   * @param threadMillis the longest start of a thread
   */
  public record Stalls(long readMillis, long threadMillis) {
  }

  /** @return what was held up that should not have been, in words; empty if nothing was. */
  public String heldUp() {
    return heldUp("a read of the other SSD",
        stalls.readMillis(), calm.readMillis(), MOST.readMillis())
        + heldUp("the start of a thread",
            stalls.threadMillis(), calm.threadMillis(), MOST.threadMillis());
  }

  private static String heldUp(String what, long millis, long before, long most) {
    return millis <= Math.max(most, BUSY * before) ? NONE
        : what + " took " + millis + " ms, and " + before + " ms before the fault; ";
  }

  /** @return a table without rows, for {@link #addTo}. */
  static Table table() {
    return new Table("fault", ">readers", ">reads", ">failed", ">wrong", ">longest read, ms",
        ">longest read of the other SSD, ms (before)", ">corrupt replicas",
        "state of the SSD, and the reason it gives", "errors counted", ">bypass after, ms",
        ">normal again after, ms", ">down, ms", ">hits on the other SSD meanwhile");
  }

  /** Adds a row. */
  void addTo(Table table) {
    table.row(scenario.name(), scenario.readers(), reads, failed, wrong, longestMillis,
        stalls.readMillis() + " (" + calm.readMillis() + ")", corruptReplicas,
        inTable(worst), inTable(errors), millis(bypassMillis), millis(recoveryMillis),
        wasDown() ? downMillis : NONE, wasDown() ? hitsWhileDown : NONE);
  }

  /** @return whether the SSD was not asked for a while. */
  public boolean wasDown() {
    return downMillis > 0;
  }

  private static String millis(long millis) {
    return millis < 0 ? NONE : String.valueOf(millis);
  }

  /** Names of temporary files say nothing, and differ from run to run. */
  private static String inTable(String text) {
    return text.isEmpty() ? NONE
        : text.replaceAll("/\\S*/", "").replace("|", "\\|").replaceAll("\\s+", " ");
  }

  /** The outcomes as a table, kept in {@code bench/results/faults.md}. */
  public static final class ReliabilityTable {

    private final Path file;
    private final Map<Ssd.Kind, Table> tables = new EnumMap<>(Ssd.Kind.class);

    /** @param file written anew after each outcome */
    public ReliabilityTable(Path file) {
      this.file = file;
    }

    /** Adds an outcome. */
    public void add(Outcome outcome) throws IOException {
      outcome.addTo(
          tables.computeIfAbsent(outcome.scenario().kind(), kind -> Outcome.table()));
      StringBuilder text = new StringBuilder();
      tables.forEach((kind, table) -> text.append("## ").append(kind.title()).append("\n\n")
          .append(table).append('\n'));
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
  }
}
