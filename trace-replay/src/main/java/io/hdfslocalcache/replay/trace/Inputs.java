/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;

import io.hdfslocalcache.admin.Progress;
import io.hdfslocalcache.replay.text.Text.Checks;
import picocli.CommandLine.Option;

/** The options for reading traces. */
public final class Inputs {

  @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "UTC",
      description = "Time zone of a DataNode's log (default: ${DEFAULT-VALUE}).")
  private ZoneId zone;

  @Option(names = "--bytes-per-checksum", paramLabel = "N", defaultValue = "512",
      description = "dfs.bytes-per-checksum of the blocks in a DataNode's log; 0 if clients ask "
          + "for no checksums (default: ${DEFAULT-VALUE}).")
  private int bytesPerChecksum;

  @Option(names = "--quiet", description = "Prints no progress and no counts of lines left out.")
  private boolean quiet;

  /** Loads a trace, and reports lines left out. */
  public Trace load(List<Path> files) throws IOException {
    return loadAll(files).trace();
  }

  private TraceLoader.Loaded loadAll(List<Path> files) throws IOException {
    Checks.atLeast("--bytes-per-checksum", bytesPerChecksum, 0);
    TraceLoader.Loaded loaded = TraceLoader.load(files, zone, bytesPerChecksum);
    if (!quiet) {
      loaded.report().print(System.err);
    }
    return loaded;
  }

  /** Loads a trace without pauses of tracing, for what it says of an hour or a day. */
  public Trace loadWithoutPauses(List<Path> files) throws IOException {
    TraceLoader.Loaded loaded = loadAll(files);
    return loaded.trace().withoutPauses(loaded.spans(), pause -> {
      if (!quiet) {
        System.err.println(pause);
      }
    });
  }

  /**
   * @return prints progress unless quiet; to be run after each simulation
   */
  public Runnable simulating(long simulations) {
    Progress progress = new Progress(System.err, simulations, "simulation");
    return quiet ? () -> { } : () -> progress.add(1);
  }

  /** @return the files' names, without directories, for a report. */
  public static String names(List<Path> files) {
    return files.stream().map(file -> String.valueOf(file.getFileName()))
        .collect(Collectors.joining(", "));
  }
}
