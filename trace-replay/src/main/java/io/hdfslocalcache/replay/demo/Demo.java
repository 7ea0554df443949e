/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.replay.demo.VerifyingReader.Source;
import io.hdfslocalcache.replay.demo.VerifyingReader.Tally;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import io.hdfslocalcache.replay.generate.Zipf;
import io.hdfslocalcache.replay.operator.DataNodeMetrics;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.text.Text.Checks;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The program behind {@code bin/demo}: loads and reads files, some more often than others, and
 * shows what the local cache does. Exit code 0 if all bytes were right and the local cache worked
 * as promised, 1 if not, 2 if the command line is wrong.
 *
 * <p>System properties, set by {@code bin/demo}: {@code demo.files} is the default directory of
 * files, {@code demo.directory} the parent of temporary directories, {@code demo.log} the log of
 * the daemons. {@code src/demo/usage.txt} explains the options.
 */
@Command(name = "bin/demo")
public final class Demo {

  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private static final int PAGE = 1 << 20;
  /** The least capacity of a local cache: 16 pages. */
  private static final long MIN_CAPACITY = 16L * PAGE;
  /** Small, so that files of a few megabytes have several. */
  private static final String BLOCK = "4m";
  private static final int MAX_FILES = 2000;
  private static final int READERS = 4;
  /** A block is admitted when it is read more often than this in ten minutes. */
  private static final String THRESHOLD = "3";
  private static final long MAX_BYTES = 400L << 20;
  /** For logs, the NameNode's image, and file system overhead. */
  private static final long SPARE_BYTES = 64L << 20;

  /** Skew of popularity, typical of data lakes and block stores. */
  private static final double EXPONENT = 1.1;
  private static final int PERCENT_RANGES = 60;
  private static final int PERCENT_PARTS = 25;
  private static final int MAX_PART = 1 << 20;
  private static final long PERIOD_SECONDS = 5;
  private static final int ATTEMPTS = 20;

  @Option(names = "--files")
  private Path files;

  @Option(names = "--seconds", defaultValue = "60")
  private int seconds;

  @Option(names = "--ssd")
  private Path ssd;

  private final Path defaultFiles;
  private final Path directory;
  private final Tally tally = new Tally();
  private final long began = System.nanoTime();
  private volatile boolean stopped;

  private Demo(Path defaultFiles, Path directory) {
    this.defaultFiles = defaultFiles;
    this.directory = directory;
  }

  /** Runs the demo, and ends the process with its exit code. */
  public static void main(String[] args) {
    String files = System.getProperty("demo.files");
    System.exit(run(files == null ? null : Path.of(files),
        Path.of(System.getProperty("demo.directory", System.getProperty("java.io.tmpdir"))), args));
  }

  /**
   * Runs the demo.
   *
   * @param defaultFiles default directory of files; may be null
   * @param directory parent of temporary directories
   * @return the exit code
   */
  static int run(Path defaultFiles, Path directory, String... args) {
    try {
      Demo demo = new Demo(defaultFiles, directory);
      new CommandLine(demo).parseArgs(args);
      demo.check();
      demo.run();
      return 0;
    } catch (ParameterException | IllegalArgumentException e) {
      return fail(WRONG_USAGE, e, e.getMessage());
    } catch (IOException | RuntimeException e) {
      return fail(FAILED, e, ErrorText.of(e));
    }
  }

  private static int fail(int exitCode, Exception e, String why) {
    LOG.error("The demo failed", e);
    System.err.println("demo: " + why);
    return exitCode;
  }

  private void check() {
    checkDirectory("--files", files == null ? defaultFiles : files);
    checkDirectory("--ssd", ssd == null ? directory : ssd);
    Checks.require(seconds >= 1, "--seconds: must be at least 1, not " + seconds);
  }

  private static void checkDirectory(String option, Path path) {
    Checks.require(path != null, option + ": is needed");
    Checks.require(Files.isDirectory(path), option + ": " + path
        + (Files.exists(path) ? " is not a directory" : " does not exist"));
  }

  /** Throws IOException with the message if the local cache does not work as promised. */
  private static void expect(boolean isSo, String otherwise) throws IOException {
    if (!isSo) {
      throw new IOException(otherwise);
    }
  }

  private void say(String format, Object... args) {
    System.out.println(Text.format(format, args));
  }

  private void run() throws IOException {
    List<Source> sources = choose();
    long bytes = sources.stream().mapToLong(Source::length).sum();
    // Less than all, so that pages are evicted.
    long pages = Math.max(MIN_CAPACITY, bytes * 3 / 4 / PAGE * PAGE);
    Path where = ssd == null ? directory : ssd;
    checkSpace(directory, bytes + SPARE_BYTES);
    checkSpace(where, pages + (ssd == null ? bytes + SPARE_BYTES : 0));
    say("Starting a NameNode and a DataNode with a local cache of %s in %s", Sizes.text(pages),
        where);
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, ssd, Map.of(
             BucketTimeRateLimit.THRESHOLD_KEY, THRESHOLD, "dfs.blocksize", BLOCK,
             LocalCacheKeys.CAPACITY, String.valueOf(pages)), 1, null, 0)) {
      say("Loading %s, %s, from %s", Text.count(sources.size(), "file"), Sizes.text(bytes),
          files == null ? defaultFiles : files);
      DataNodeMetrics metrics = new DataNodeMetrics(cluster.dataNodeWeb());
      read(cluster, metrics, load(cluster, sources));
      summary(metrics.settled());
    }
  }

  static void checkSpace(Path where, long needed) throws IOException {
    long free = Files.getFileStore(where).getUsableSpace();
    expect(free >= needed, "too little space at " + where + ": " + Sizes.text(needed, free)
        + " needed, " + Sizes.text(free, needed) + " free");
  }

  /**
   * @return files below the directory, the most popular one first: always the same order, unrelated
   *     to name or size
   */
  private List<Source> choose() throws IOException {
    Path root = files == null ? defaultFiles : files;
    List<Path> found;
    try (Stream<Path> all = Files.walk(root)) {
      found = all.filter(file -> Files.isRegularFile(file) && Files.isReadable(file)
              && (files != null || file.toString().endsWith(".jar")))
          .sorted(Comparator.comparingLong((Path file) -> hash(root.relativize(file)))
              .thenComparing(Comparator.naturalOrder())).toList();
    }
    List<Source> chosen = new ArrayList<>();
    long room = MAX_BYTES;
    for (Path file : found) {
      long length = Files.size(file);
      if (length > 0 && length <= room && chosen.size() < MAX_FILES) {
        chosen.add(new Source("/demo/" + (chosen.size() + 1), file, length));
        room -= length;
      }
    }
    expect(!chosen.isEmpty(), "--files: no file to load in " + root
        + " (readable, not empty, at most " + Sizes.text(MAX_BYTES) + ")");
    return chosen;
  }

  private static long hash(Path name) {
    CRC32 crc = new CRC32();
    crc.update(name.toString().getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  /** @return the files with the lengths that they had when they were copied. */
  private static List<Source> load(EmbeddedCluster cluster, List<Source> sources)
      throws IOException {
    List<Source> loaded = new ArrayList<>();
    try (DistributedFileSystem hdfs = cluster.newClient()) {
      for (Source source : sources) {
        try (InputStream in = Files.newInputStream(source.local());
             OutputStream to = hdfs.create(source.path())) {
          loaded.add(new Source(source.inHdfs(), source.local(), in.transferTo(to)));
        }
      }
    }
    return loaded;
  }

  /** Runs the readers, and switches the local cache off and on meanwhile. */
  private void read(EmbeddedCluster cluster, DataNodeMetrics metrics, List<Source> sources)
      throws IOException {
    say("%s for %d s, some files more often than others (Zipf); every byte is compared.",
        Text.count(READERS, "reader"), seconds);
    say("Hit rates since the line before: reuse, of reads of admitted blocks; offload, of all "
        + "bytes.");
    say("The OS page cache holds both disks' files: look at where bytes come from, not at the "
        + "speed.");
    ExecutorService pool = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int seed = i;
        running.add(pool.submit(() -> {
          readOn(cluster, sources, seed);
          return null;
        }));
      }
      watch(running, metrics, 0.7 * seconds);
      switchOff(cluster, running, metrics);
      watch(running, metrics, 0.15 * seconds);
      stopped = true;
      pool.shutdown();
      expect(pool.awaitTermination(1, TimeUnit.MINUTES), "a reader did not end within a minute");
      check(running);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      stopped = true;
      pool.shutdownNow();
    }
  }

  /** Reads with a separate client, like a separate process. */
  private void readOn(EmbeddedCluster cluster, List<Source> sources, int seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Zipf popularity = new Zipf(sources.size(), EXPONENT);
    try (DistributedFileSystem client = cluster.newClient()) {
      VerifyingReader reader = new VerifyingReader(client, tally);
      while (!stopped) {
        Source source = sources.get(popularity.draw(random));
        int percent = random.nextInt(100);
        boolean isRange = percent < PERCENT_RANGES;
        long length = percent < PERCENT_RANGES + PERCENT_PARTS ? Math.min(source.length(),
            1 + random.nextInt(isRange ? VerifyingReader.BUFFER : MAX_PART)) : source.length();
        long offset = random.nextLong(source.length() - length + 1);
        reader.read(source, offset, length, isRange);
      }
    }
  }

  /** @throws IOException the error of a failed reader */
  private static void check(List<Future<?>> running) throws IOException, InterruptedException {
    for (Future<?> reader : running) {
      if (reader.isDone()) {
        try {
          reader.get();
        } catch (ExecutionException e) {
          throw e.getCause() instanceof IOException wrong ? wrong
              : new IOException("a reader failed: " + e.getCause(), e);
        }
      }
    }
  }

  /** Prints every few seconds the readers' figures. */
  private void watch(List<Future<?>> running, DataNodeMetrics metrics, double time)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + (long) (time * 1e9);
    Counters last = metrics.now();
    long lastAt = System.nanoTime();
    while (end - System.nanoTime() > 0) {
      TimeUnit.NANOSECONDS.sleep(Math.min(TimeUnit.SECONDS.toNanos(PERIOD_SECONDS),
          end - System.nanoTime()));
      check(running);
      Counters now = metrics.now();
      long nowAt = System.nanoTime();
      Counters recent = now.since(last);
      say("%4d s  %,6.0f reads/s  reuse %7s  offload %7s  SSD %8s  disk %8s",
          Duration.ofNanos(nowAt - began).toSeconds(), recent.reads() * 1e9 / (nowAt - lastAt),
          Text.percent(recent.reuseRate()), Text.percent(recent.offload()),
          Sizes.text(now.bytesFromSsd()), Sizes.text(now.bytesFromDisk()));
      last = now;
      lastAt = nowAt;
    }
  }

  /** Switches the local cache off and on again with the operator's command, while clients read. */
  private void switchOff(EmbeddedCluster cluster, List<Future<?>> running, DataNodeMetrics metrics)
      throws IOException, InterruptedException {
    admin(cluster, "-getLocalCache");
    admin(cluster, "-setLocalCache", "off");
    expect(!metrics.fresh().isOn(), "switched off, but still on");
    Counters before = lastHitIsOver(metrics);
    watch(running, metrics, 0.15 * seconds);
    Counters meanwhile = metrics.fresh().since(before);
    say("  while off: %s reads, %s from the SSD, %s from the data disk",
        Text.count(meanwhile.reads()), Sizes.text(meanwhile.bytesFromSsd()),
        Sizes.text(meanwhile.bytesFromDisk()));
    expect(meanwhile.bytesFromSsd() == 0, "switched off, but the SSD still serves reads");
    admin(cluster, "-setLocalCache", "on");
    expect(metrics.fresh().isOn(), "switched on, but still off");
  }

  private void admin(EmbeddedCluster cluster, String... args) throws IOException {
    String command = "hdfs dfsadmin " + String.join(" ", args);
    say("$ %s", command);
    int exitCode;
    try {
      exitCode = ToolRunner.run(cluster.conf(), new DFSAdmin(), args);
    } catch (Exception e) {
      throw new IOException(command + ": " + ErrorText.of(e), e);
    }
    expect(exitCode == 0, command + ": exit code " + exitCode);
  }

  /** A read in progress finishes its present page, and is counted when its client is done. */
  private static Counters lastHitIsOver(DataNodeMetrics metrics) throws IOException {
    Counters last = metrics.now();
    for (int i = 0; i < ATTEMPTS; i++) {
      Counters now = metrics.fresh();
      if (now.bytesFromSsd() == last.bytesFromSsd()) {
        return now;
      }
      last = now;
    }
    throw new IOException("switched off, but the SSD still serves reads");
  }

  /** Prints the DataNode's counters, and the clients' comparisons. */
  private void summary(Counters counted) {
    Table table = new Table("Summary", ">", "");
    table.row("block reads", Text.count(counted.reads()), "as the DataNode counts them");
    table.row("  hits", Text.count(counted.of(ReadOutcome.HIT)), "from the SSD alone");
    table.row("  partial hits", Text.count(counted.of(ReadOutcome.PARTIAL_HIT)),
        "from SSD and data disk");
    table.row("  misses, admitted", Text.count(counted.of(ReadOutcome.MISS_ADMITTED)),
        "filled from the read");
    table.row("  misses, not admitted", Text.count(counted.of(ReadOutcome.MISS_NOT_ADMITTED)),
        "read too seldom");
    table.row("  bypasses", Text.count(counted.bypasses()), "mostly while it was off");
    table.row("bytes from the SSD", Sizes.text(counted.bytesFromSsd()), "");
    table.row("bytes from the data disk", Sizes.text(counted.bytesFromDisk()), "");
    table.row("reuse rate", Text.percent(counted.reuseRate()),
        "of the reads of admitted blocks, served by the SSD alone");
    table.row("offload", Text.percent(counted.offload()),
        "of all bytes that clients read, served by the SSD");
    table.row("fills", Text.count(counted.of(Event.FILLS)),
        "pages, " + Sizes.text(counted.of(Event.FILL_BYTES)) + " copied to the SSD");
    table.row("evictions", Text.count(counted.of(Event.EVICTIONS)), "pages removed to make room");
    table.row("errors", Text.count(counted.errors()), "of the local cache");
    table.row("verified bytes", Sizes.text(tally.verifiedBytes().sum()),
        "in " + Text.count(tally.reads().sum()) + " file reads");
    table.row("wrong bytes", Text.count(tally.wrongBytes().sum()), "");
    System.out.print("\n" + table.text());
  }
}
