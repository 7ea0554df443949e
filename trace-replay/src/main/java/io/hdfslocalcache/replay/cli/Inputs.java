/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.LoadReport;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceLoader;
import io.hdfslocalcache.replay.trace.TraceOptions;
import picocli.CommandLine.Option;

/** The options by which a command reads traces. */
final class Inputs {

  @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "UTC",
      description = "Time zone of a DataNode's log (default: ${DEFAULT-VALUE}).")
  private ZoneId zone;

  @Option(names = "--bytes-per-checksum", paramLabel = "N", defaultValue = "512",
      description = "dfs.bytes-per-checksum of the blocks in a DataNode's log; 0 if clients ask "
          + "for no checksums (default: ${DEFAULT-VALUE}).")
  private int bytesPerChecksum;

  @Option(names = "--quiet", description = "No progress bar, no counts of lines left out.")
  private boolean quiet;

  /** Loads a trace, shows how far it is, and tells what was left out. */
  Trace load(List<Path> files) throws IOException {
    if (bytesPerChecksum < 0) {
      throw new IllegalArgumentException("--bytes-per-checksum: negative: " + bytesPerChecksum);
    }
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
    }
    TraceLoader.Loaded loaded;
    try (Bar bar = bar("Loading", bytes)) {
      loaded = TraceLoader.load(files, new TraceOptions(zone, bytesPerChecksum), bar::add);
    }
    if (!quiet) {
      tell(loaded.report(), System.err);
    }
    return loaded.trace();
  }

  /** @return a progress bar, if the user wants one. */
  Bar bar(String what, long total) {
    return Bar.of(what, total, !quiet);
  }

  private static void tell(LoadReport report, PrintStream err) {
    tell(err, report.bad(), "bad lines left out");
    report.messages().forEach(message -> err.println("  " + message));
    tell(err, report.outOfOrder(), "lines older than the one before; sorted in");
    tell(err, report.notClient(), "reads by other DataNodes left out");
    tell(err, report.other(), "other lines left out");
  }

  private static void tell(PrintStream err, long n, String what) {
    if (n > 0) {
      err.println("trace-replay: " + Text.count(n) + " " + what);
    }
  }
}
