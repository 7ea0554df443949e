/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;

import io.hdfslocalcache.replay.text.Checks;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine.Option;

/** The options by which a command reads traces. */
public final class Inputs {

  /** Of a bar that nobody sees. Without a width, the terminal would be asked for it. */
  private static final int ANY_WIDTH = 80;

  @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "UTC",
      description = "Time zone of a DataNode's log (default: ${DEFAULT-VALUE}).")
  private ZoneId zone;

  @Option(names = "--bytes-per-checksum", paramLabel = "N", defaultValue = "512",
      description = "dfs.bytes-per-checksum of the blocks in a DataNode's log; 0 if clients ask "
          + "for no checksums (default: ${DEFAULT-VALUE}).")
  private int bytesPerChecksum;

  @Option(names = "--quiet", description = "No progress bar, no counts of lines left out.")
  private boolean quiet;

  /** @return what the files do not say. */
  public TraceLoader.Options options() {
    Checks.require(bytesPerChecksum >= 0,
        "--bytes-per-checksum: negative: " + bytesPerChecksum);
    return new TraceLoader.Options(zone, bytesPerChecksum);
  }

  /** Loads a trace, shows how far it is, and tells what was left out. */
  public Trace load(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
    }
    TraceLoader.Loaded loaded;
    try (ProgressBar bar = bar("Loading", bytes)) {
      loaded = TraceLoader.load(files, options(), bar::stepBy);
    }
    if (!quiet) {
      loaded.report().print(System.err);
    }
    return loaded.trace();
  }

  /** @return a progress bar, if the user wants one. */
  public ProgressBar bar(String what, long total) {
    return bar(what, total, !quiet);
  }

  /** @return a progress bar on the terminal; one that nobody sees if there is no terminal. */
  public static ProgressBar bar(String what, long total, boolean wanted) {
    ProgressBarBuilder bar = new ProgressBarBuilder().setTaskName(what).setInitialMax(total)
        .setStyle(ProgressBarStyle.ASCII).clearDisplayOnFinish();
    if (!wanted || System.console() == null) {
      bar.setConsumer(new DelegatingProgressBarConsumer(text -> { }, ANY_WIDTH));
    }
    return bar.build();
  }

  /** @return the files' names, without directories, for a report. */
  public static String names(List<Path> files) {
    return files.stream().map(file -> String.valueOf(file.getFileName()))
        .collect(Collectors.joining(", "));
  }
}
