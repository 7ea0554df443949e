/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.hdfslocalcache.replay.demo.Demo.DemoOptions;
import io.hdfslocalcache.replay.demo.Progress.LiveView;
import io.hdfslocalcache.replay.demo.VerifyingReader.Tally;
import io.hdfslocalcache.replay.demo.VerifyingReader.WrongByteException;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import io.hdfslocalcache.replay.operator.DataNodeMetrics;
import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The course of the demo, from the choice of files to the summary. */
final class DemoRun {

  /** Bytes of a block: small, so that files of a few megabytes have several. */
  static final long BLOCK = 4L << 20;

  private static final int MAX_FILES = 2000;
  private static final long MAX_BYTES = 400L << 20;
  /** For logs, the NameNode's image, and what else a file system needs. */
  private static final long SPARE_BYTES = 64L << 20;
  private static final String WINDOW = "10m";

  private final DemoOptions options;
  private final Path directory;
  private final Progress progress;
  private final Tally tally = new Tally();

  /** Runs with options, and keeps all files in a directory that others make and delete. */
  DemoRun(DemoOptions options, Path directory, Progress progress) {
    this.options = options;
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Runs the demo.
   *
   * @param ssd directory for the pages
   * @throws VerifyingReader.WrongByteException if a client got a wrong byte
   * @throws IOException if anything else went wrong
   */
  void run(Path ssd) throws IOException {
    List<SourceFile> files = chooseFiles();
    long bytes = bytes(files);
    long capacity = options.capacity(bytes);
    checkSpace(directory, bytes + SPARE_BYTES);
    checkSpace(ssd, capacity + (options.ssd == null ? bytes + SPARE_BYTES : 0));
    progress.say("Starting a NameNode and a DataNode with a local cache of %s at %s",
        Text.bytes(capacity), ssd);
    try (EmbeddedCluster cluster = EmbeddedCluster.start(new EmbeddedCluster.Settings(
             directory, ssd, capacity, DemoOptions.PAGE, BLOCK, options.threshold, WINDOW));
         DistributedFileSystem hdfs = cluster.newClient()) {
      DemoContext demo = new DemoContext(hdfs, new VerifyingReader(hdfs, tally),
          new DataNodeMetrics(cluster.dataNodeWeb()), new PagesOnSsd(ssd), progress, directory,
          options.threshold + 1);
      run(cluster, demo, load(hdfs, files));
    }
  }

  private void run(EmbeddedCluster cluster, DemoContext demo, List<SourceFile> files)
      throws IOException {
    readAndSwitch(cluster, demo, files);
    Optional<SourceFile> grown = new AppendStep(demo).run(files);
    new DeleteStep(demo).run(toDelete(files, grown));
    new Summary(progress).print(
        demo.metrics().settled(), tally, demo.pages().count());
  }

  private List<SourceFile> chooseFiles() throws IOException {
    List<SourceFile> files =
        SourceFile.choose(options.files, options.suffix(), MAX_FILES, MAX_BYTES);
    if (files.isEmpty()) {
      throw new IOException("--files: no file to load in " + options.files
          + " (readable, not empty, at most " + Text.bytes(MAX_BYTES) + ")");
    }
    return files;
  }

  private static long bytes(List<SourceFile> files) {
    return files.stream().mapToLong(SourceFile::length).sum();
  }

  private static void checkSpace(Path where, long needed) throws IOException {
    long free = Files.getFileStore(where).getUsableSpace();
    DemoContext.expect(free >= needed, "too little space at " + where + ": "
        + Text.bytes(needed) + " needed, " + Text.bytes(free) + " free");
  }

  private List<SourceFile> load(DistributedFileSystem hdfs, List<SourceFile> files)
      throws IOException {
    long bytes = bytes(files);
    progress.say("Loading %s, %s, from %s", Text.count(files.size(), "file"), Text.bytes(bytes),
        options.files);
    List<SourceFile> loaded = new ArrayList<>();
    for (SourceFile file : files) {
      loaded.add(copy(hdfs, file));
      long done = bytes(loaded);
      progress.live(Text.format("  %3d %%  %s", 100 * done / bytes, Text.bytes(done)));
    }
    progress.endLive();
    return loaded;
  }

  /** @return the file with the length that it had when it was copied. */
  private static SourceFile copy(DistributedFileSystem hdfs, SourceFile file) throws IOException {
    try (InputStream in = Files.newInputStream(file.local());
         OutputStream out = hdfs.create(file.path())) {
      return new SourceFile(file.inHdfs(), file.local(), in.transferTo(out));
    }
  }

  private void readAndSwitch(EmbeddedCluster cluster, DemoContext demo, List<SourceFile> files)
      throws IOException {
    LiveView view = new LiveView(demo.metrics(), progress);
    progress.say("%s for %d s, some files more often than others (Zipf); every byte is compared.",
        Text.count(options.readers, "reader"), options.seconds);
    progress.say("Hit shares of the last second: reuse, of reads of admitted blocks; offload, of "
        + "all bytes.");
    progress.say("The OS page cache holds both disks' files: look at where bytes come from, not at "
        + "the speed.");
    Duration time = Duration.ofSeconds(options.seconds);
    try (Workload workload =
             new Workload(cluster::newClient, files, options.readers, tally)) {
      view.watch(workload, time.multipliedBy(7).dividedBy(10));
      new SwitchStep(demo, cluster.conf(), view)
          .run(workload, time.multipliedBy(3).dividedBy(20));
      view.watch(workload, time.multipliedBy(3).dividedBy(20));
      workload.stop();
    }
  }

  private static SourceFile toDelete(List<SourceFile> files, Optional<SourceFile> grown) {
    List<SourceFile> others = files.stream()
        .filter(file -> grown.isEmpty() || !file.inHdfs().equals(grown.get().inHdfs())).toList();
    return others.stream().filter(file -> file.length() > DemoOptions.PAGE).findFirst()
        .orElseGet(() -> others.isEmpty() ? grown.orElseThrow() : others.get(0));
  }
}
