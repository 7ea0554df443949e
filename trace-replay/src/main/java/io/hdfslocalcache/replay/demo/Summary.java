/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.demo.VerifyingReader.Tally;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;

/** The table at the end: what the DataNode counted, and what the clients compared. */
final class Summary {

  private static final String READ_BYTES = "read_bytes:";

  private final Progress progress;

  Summary(Progress progress) {
    this.progress = progress;
  }

  /**
   * Prints the table.
   *
   * @param dataNode what the DataNode counted from start to end
   * @param clients what the clients compared
   * @param pages pages on the SSD
   */
  void print(Counters dataNode, Tally clients, int pages) {
    progress.say("");
    progress.say("Summary");
    reads(dataNode);
    row("bytes from the SSD", Text.bytes(dataNode.bytesFromSsd()), "");
    row("bytes from the data disk", Text.bytes(dataNode.bytesFromDisk()), "");
    row("reuse rate", Text.percent(dataNode.reuseRate()),
        "of the reads of admitted blocks, served by the SSD alone");
    row("offload", Text.percent(dataNode.offload()),
        "of all bytes that clients read, served by the SSD");
    pages(dataNode, pages);
    row("errors", Text.count(dataNode.errors()), "of the local cache");
    kernelReads().ifPresent(bytes -> row("kernel's disk reads", Text.bytes(bytes),
        "by daemons and clients together; the OS page cache spared the rest"));
    row("verified bytes", Text.bytes(clients.verifiedBytes().sum()),
        "in " + Text.count(clients.reads().sum()) + " file reads");
    row("wrong bytes", Text.count(clients.wrongBytes().sum()), "");
  }

  /** @return bytes that the kernel has read from disks for this process, where it tells (Linux). */
  private static OptionalLong kernelReads() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/io"))) {
      return lines.filter(line -> line.startsWith(READ_BYTES))
          .mapToLong(line -> Long.parseLong(line.substring(READ_BYTES.length()).strip()))
          .findFirst();
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }

  private void reads(Counters dataNode) {
    row("block reads", Text.count(dataNode.reads()), "as the DataNode counts them");
    row("  hits", dataNode, ReadOutcome.HIT, "from the SSD alone");
    row("  partial hits", dataNode, ReadOutcome.PARTIAL_HIT, "from SSD and data disk");
    row("  misses, admitted", dataNode, ReadOutcome.MISS_ADMITTED, "filled behind the read");
    row("  misses, not admitted", dataNode, ReadOutcome.MISS_NOT_ADMITTED, "read too seldom");
    row("  bypasses", Text.count(dataNode.bypasses()), "while it was off, mostly");
  }

  private void pages(Counters dataNode, int pages) {
    row("fills", Text.count(dataNode.of(Event.FILLS)),
        "pages, " + Text.bytes(dataNode.of(Event.FILL_BYTES)) + " copied to the SSD");
    row("evictions", Text.count(dataNode.of(Event.EVICTIONS)), "pages that made room");
    row("invalidations", Text.count(dataNode.of(Event.INVALIDATED_BLOCKS)),
        "blocks, " + Text.count(dataNode.of(Event.INVALIDATED_PAGES)) + " pages");
    row("pages on the SSD now", Text.count(pages), "");
  }

  private void row(String name, Counters dataNode, ReadOutcome outcome, String remark) {
    row(name, Text.count(dataNode.of(outcome)), remark);
  }

  private void row(String name, String value, String remark) {
    progress.say(Text.format("  %-24s %12s  %s", name, value, remark).stripTrailing());
  }
}
